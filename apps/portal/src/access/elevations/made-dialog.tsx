import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { ElevationRow, MadeByElevation } from '@deviceportal/contract/elevations';
import { useApi } from '../../api/use-api.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { roleName } from '../roles/role-words.ts';

/** What somebody made by temporary access, and whether it can still be used. */
export function MadeDialog({
  elevation,
  onClose,
}: {
  readonly elevation: Pick<ElevationRow, 'id' | 'username' | 'roleName'>;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const { id, username: name, roleName: role } = elevation;
  const query = useQuery(api.access.elevations.made.queryOptions({ id }));
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <Modal
      visible
      size="large"
      header={t('access.elevation.madeOf', { name, role: roleName(role, t) })}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            {t('app.close')}
          </Button>
        </Box>
      }
    >
      <DataTable
        id="elevation-made"
        label={t('access.elevation.made')}
        variant="container"
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ kind, id: made }) => `${kind} ${made}`}
        query={query}
        empty={{ title: t('access.elevation.madeNone') }}
      />
    </Modal>
  );
}

const pages: Readonly<Record<MadeByElevation['kind'], (made: MadeByElevation) => string>> = {
  claim: () => '/devices?dialog=claims',
  schedule: () => '/commands',
  'report-share': ({ name }) => `/reports/user-report?report=${name}`,
  'access-key': () => '/uam/provider',
};

function columnsOf(t: Translate): readonly TableColumn<MadeByElevation>[] {
  return [
    {
      id: 'kind',
      header: t('access.elevation.made.kind'),
      cell: (made) => (
        <PortalLink href={pages[made.kind](made)}>
          {t(`access.elevation.made.${made.kind}`)}
        </PortalLink>
      ),
      rowHeader: true,
      always: true,
      width: 150,
    },
    {
      id: 'name',
      header: t('access.elevation.made.name'),
      cell: ({ id, kind, name }) => (name === '' || kind === 'report-share' ? id : name),
      width: 220,
    },
    {
      id: 'at',
      header: t('access.column.created'),
      cell: ({ at }) => <Time at={at} style="absolute" />,
      width: 210,
    },
    {
      id: 'state',
      header: t('access.column.status'),
      cell: ({ inForce }) =>
        inForce ? (
          <StatusIndicator type="success">{t('access.elevation.made.inForce')}</StatusIndicator>
        ) : (
          <StatusIndicator type="stopped">{t('access.elevation.made.ended')}</StatusIndicator>
        ),
      width: 120,
    },
  ];
}
