import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type {
  AirBlastDetail,
  AirBlastTargetGroup,
  AirBlastTargetRow,
} from '@deviceportal/contract/air-blast';
import type { InvocationState, StatusDetails } from '@deviceportal/contract/states';
import { useApi } from '../api/use-api.ts';
import { useRefetchOnChange } from '../api/use-refetch-on-change.ts';
import { WhyButton } from '../explanations/why-button.tsx';
import { useFormat } from '../i18n/format-values.ts';
import type { MessageKey } from '../i18n/message-key.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { refreshMs } from '../live/refresh-policy.ts';

const groups: readonly AirBlastTargetGroup[] = [
  'all',
  'excluded',
  'no-go',
  'canary',
  'failed',
  'unverified',
  'unchecked',
];

/** The devices of the target set with their results. */
export function AirBlastTargets({
  run,
  group,
  onGroup,
}: {
  readonly run: Pick<AirBlastDetail, 'id' | 'unchecked' | 'updatedAt' | 'waves' | 'report'>;
  readonly group: AirBlastTargetGroup;
  readonly onGroup: (group: AirBlastTargetGroup) => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const { id } = run;
  const offered = groups.filter(
    (one) => one !== 'unchecked' || run.unchecked > 0 || group === 'unchecked',
  );
  const pageSize = useTablePageSize('air-blast-targets');
  const pages = useKeysetPages(JSON.stringify([id, group, pageSize]));
  const query = useQuery(
    api.airBlast.listTargets.queryOptions(
      { id, group, pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData, refetchInterval: refreshMs.work },
    ),
  );
  useRefetchOnChange(JSON.stringify([run.updatedAt, run.waves, run.report]), query.refetch);
  return (
    <DataTable
      id="air-blast-targets"
      label={t('airBlast.devices')}
      columns={useTargetColumns(id)}
      rows={query.data?.rows}
      rowKey={(row) => row.deviceId}
      query={query}
      header={
        <Header
          variant="h2"
          actions={
            <SegmentedControl
              label={t('airBlast.devices')}
              selectedId={group}
              options={offered.map((one) => ({
                id: one,
                text: t(`airBlast.group.${one}` as MessageKey),
              }))}
              onChange={({ detail }) => onGroup(detail.selectedId as AirBlastTargetGroup)}
            />
          }
        >
          {t('airBlast.devices')}
        </Header>
      }
      empty={{ title: t('airBlast.noDevices') }}
      onClearFilter={group === 'all' ? undefined : () => onGroup('all')}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
      variant="container"
    />
  );
}

function useTargetColumns(runId: string): readonly TableColumn<AirBlastTargetRow>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'device',
        header: t('airBlast.device'),
        rowHeader: true,
        always: true,
        cell: (row) => (
          <PortalLink href={`/devices/${row.deviceId}`}>{row.serialNumber ?? row.name}</PortalLink>
        ),
      },
      { id: 'model', header: t('airBlast.model'), cell: (row) => row.model ?? '-' },
      {
        id: 'country',
        header: t('airBlast.country'),
        cell: ({ country }) => (country === null ? '-' : format.country(country)),
      },
      {
        id: 'verdict',
        header: t('airBlast.verdict'),
        minWidth: 180,
        cell: (row) => {
          const reasons = row.exclusion === null ? row.noGo : [row.exclusion];
          return (
            format.list(reasons.map((one) => t(`airBlast.reasonOf.${one}` as MessageKey))) || '-'
          );
        },
      },
      {
        id: 'result',
        header: t('airBlast.result'),
        cell: (row) =>
          row.invocationState === null ? (
            '-'
          ) : (
            <StatusOf
              kind="statusDetails"
              value={(row.statusDetails ?? row.invocationState) as StatusDetails & InvocationState}
            />
          ),
      },
      {
        id: 'verified',
        header: t('airBlast.verified'),
        cell: (row) =>
          row.verified === null
            ? '-'
            : t(row.verified ? 'airBlast.asIntended' : 'airBlast.different'),
      },
      {
        id: 'why',
        header: t('explanations.why'),
        cell: (row) =>
          row.verified === true || (row.verified === null && row.invocationState === 'Success') ? (
            '-'
          ) : (
            <WhyButton
              of={{ kind: 'air-blast-target', id: runId, deviceId: row.deviceId }}
              name={row.serialNumber ?? row.name}
            />
          ),
      },
    ],
    [t, format, runId],
  );
}
