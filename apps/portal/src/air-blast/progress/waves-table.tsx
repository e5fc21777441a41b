import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { AirBlastDetail, AirBlastWave } from '@deviceportal/contract/air-blast';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { countsOf } from './wave-counts.ts';
import { runOfWaveHref } from './wave-href.ts';

const known = { isPending: false, error: null, refetch: () => undefined };

/** All waves in numbers. */
export function WavesTable({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  return (
    <DataTable
      id="air-blast-waves"
      label={t('airBlast.wavesLabel')}
      variant="container"
      withoutSettings
      columns={useWaveColumns(run)}
      rows={run.waves}
      rowKey={({ step, attempt, wave }) => [step, attempt, wave].join(' ')}
      query={known}
      empty={{ title: t('airBlast.noWaves') }}
      header={<Header variant="h2">{t('airBlast.wavesLabel')}</Header>}
    />
  );
}

function useWaveColumns(run: AirBlastDetail): readonly TableColumn<AirBlastWave>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(() => {
    const count = (id: 'success' | 'failed' | 'cancelled' | 'open'): TableColumn<AirBlastWave> => ({
      id,
      header: t(`airBlast.part.${id}`),
      numeric: true,
      cell: (wave) => format.number(countsOf(wave)[id]),
    });
    return [
      {
        id: 'wave',
        header: t('airBlast.portion'),
        rowHeader: true,
        cell: ({ step, wave, attempt, runId }) => {
          const name =
            step === 'blast' ? t('airBlast.waveOf', { wave }) : t(`airBlast.step.${step}`);
          const words = attempt > 1 ? `${name}, ${t('airBlast.attempt', { attempt })}` : name;
          return runId === null ? (
            words
          ) : (
            <PortalLink href={runOfWaveHref(run, { runId, step })}>{words}</PortalLink>
          );
        },
      },
      {
        id: 'devices',
        header: t('airBlast.devices'),
        numeric: true,
        cell: ({ devices }) => format.number(devices),
      },
      count('success'),
      count('failed'),
      count('cancelled'),
      count('open'),
      {
        id: 'opened',
        header: t('airBlast.opened'),
        cell: ({ openedAt }) => <Time at={openedAt} style="absolute" />,
      },
      {
        id: 'took',
        header: t('airBlast.took'),
        cell: ({ openedAt, endedAt }) =>
          openedAt === null || endedAt === null
            ? '-'
            : format.duration(Math.max(1_000, Date.parse(endedAt) - Date.parse(openedAt))),
      },
    ];
  }, [t, format, run]);
}
