import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { AuditEventTable } from '../../audit-trail/audit-event-table.tsx';
import { useT } from '../../i18n/use-t.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { useTablePageSize } from '../../ui/table/data-table.tsx';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import type { DeviceTabProps } from './device-tab-props.ts';

const TABLE = 'device-events';

/** The audit trail of this device. */
export function EventsTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const allowed = useViewer().may('audit-trail:read');
  const pageSize = useTablePageSize(TABLE);
  const pages = useKeysetPages(`${device.id} ${pageSize}`);
  const query = useQuery(
    api.auditTrail.list.queryOptions(
      { filter: { deviceId: device.id }, pageSize, cursor: pages.cursor },
      { enabled: allowed, placeholderData: keepPreviousData },
    ),
  );
  if (!allowed) return <NoAccess area={t('devices.view.events')} permission="audit-trail:read" />;
  return (
    <AuditEventTable
      id={TABLE}
      events={query.data?.rows}
      query={query}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
      withoutDevice
      footer={
        <PortalLink href={`/audit-trail/device?device=${device.id}`}>
          {t('devices.events.all')}
        </PortalLink>
      }
    />
  );
}
