import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type {
  AirBlastDetail,
  AirBlastFailure,
  AirBlastResult,
} from '@deviceportal/contract/air-blast';
import type { StatusDetails } from '@deviceportal/contract/states';
import { useT } from '../../i18n/use-t.ts';
import { ShareBar } from '../../ui/share-bar.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { runOfWaveHref } from './wave-href.ts';

/** Failure reasons by frequency, each with an example device. */
export function FailureTable({
  run,
  query,
}: {
  readonly run: AirBlastDetail;
  readonly query: UseQueryResult<AirBlastResult, unknown>;
}): ReactNode {
  const t = useT();
  const failures = query.data?.failures;
  return (
    <DataTable
      id="air-blast-failures"
      label={t('airBlast.failures')}
      variant="container"
      withoutSettings
      columns={useFailureColumns(run, failures)}
      rows={failures}
      rowKey={keyOf}
      query={query}
      empty={{ title: t('airBlast.noFailures') }}
      header={<Header variant="h2">{t('airBlast.failures')}</Header>}
    />
  );
}

const keyOf = ({ statusDetails, responseCode, step }: AirBlastFailure): string =>
  [statusDetails, responseCode, step].join(' ');

function useFailureColumns(
  run: AirBlastDetail,
  failures: readonly AirBlastFailure[] | undefined,
): readonly TableColumn<AirBlastFailure>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(() => {
    const most = Math.max(1, ...(failures ?? []).map(({ devices }) => devices));
    return [
      {
        id: 'state',
        header: t('airBlast.result'),
        rowHeader: true,
        cell: (row) => <StatusOf kind="statusDetails" value={row.statusDetails as StatusDetails} />,
      },
      { id: 'step', header: t('airBlast.documentStep'), cell: (row) => row.step ?? '-' },
      {
        id: 'exit',
        header: t('airBlast.exitCode'),
        cell: (row) => (row.responseCode === null ? '-' : String(row.responseCode)),
      },
      {
        id: 'devices',
        header: t('airBlast.devices'),
        cell: (row) => <ShareBar share={row.devices / most} words={format.number(row.devices)} />,
      },
      {
        id: 'sample',
        header: t('airBlast.sample'),
        cell: ({ sample }) =>
          sample === null ? (
            '-'
          ) : (
            <PortalLink
              href={runOfWaveHref(run, { runId: sample.runId, step: 'blast' }, sample.invocationId)}
            >
              {sample.serialNumber ?? sample.deviceId}
            </PortalLink>
          ),
      },
    ];
  }, [t, format, run, failures]);
}
