import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { PastFinding } from '@deviceportal/contract/findings';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';

export interface PastFindingsProps {
  readonly deviceId: string;
  readonly onLook: (at: string) => void;
}

/** Past findings of the device, each with a link to the history at that time. */
export function PastFindings({ deviceId, onLook }: PastFindingsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const query = useQuery(api.findings.past.queryOptions({ deviceId }));
  const columns = useMemo(
    (): readonly TableColumn<PastFinding>[] => [
      {
        id: 'rule',
        header: t('devices.filter.finding'),
        cell: ({ rule }) => t(`devices.finding.${rule}`),
        rowHeader: true,
      },
      {
        id: 'openedAt',
        header: t('devices.similar.since'),
        cell: ({ openedAt }) => <Time at={openedAt} style="absolute" />,
      },
      {
        id: 'lasted',
        header: t('devices.then.ended'),
        cell: ({ openedAt, closedAt }) => {
          const lastedMs = Date.parse(closedAt) - Date.parse(openedAt);
          return (
            <>
              <Time at={closedAt} style="absolute" />{' '}
              {t('devices.then.lasted', { duration: format.duration(lastedMs) })}
            </>
          );
        },
      },
      {
        id: 'look',
        header: t('devices.list.actions'),
        cell: ({ rule, openedAt }) => (
          <Button
            variant="inline-link"
            ariaLabel={`${t('devices.then.look')}: ${t(`devices.finding.${rule}`)}`}
            onClick={() => onLook(openedAt)}
          >
            {t('devices.then.look')}
          </Button>
        ),
      },
    ],
    [t, format, onLook],
  );
  return (
    <DataTable
      id="device-past-findings"
      label={t('devices.then.past')}
      header={<Header variant="h2">{t('devices.then.past')}</Header>}
      variant="container"
      columns={columns}
      rows={query.data}
      rowKey={({ rule, openedAt }) => `${rule} ${openedAt}`}
      query={query}
      empty={{ title: t('devices.then.pastNone') }}
      withoutSettings
    />
  );
}
