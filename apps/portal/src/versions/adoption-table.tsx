import { useMemo, type ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import type { AdoptionSeries } from './adoption-series.ts';

interface DayRow {
  readonly day: string;
  readonly at: number;
}

const here = { isPending: false, error: null, refetch: () => undefined };

/** The numbers of the adoption chart, latest day first. */
export function AdoptionTable(props: {
  readonly days: readonly string[];
  readonly series: AdoptionSeries;
}): ReactNode {
  const { days, series } = props;
  const t = useT();
  const format = useFormat();
  const columns = useMemo(
    (): readonly TableColumn<DayRow>[] => [
      {
        id: 'day',
        header: t('versions.adoption.day'),
        cell: ({ day }) => day,
        rowHeader: true,
        always: true,
      },
      ...series.map(({ version, devices }) => ({
        id: version,
        header: version,
        cell: ({ at }: DayRow) => format.number(devices[at] ?? 0),
        numeric: true,
      })),
    ],
    [t, format, series],
  );
  const rows = days.map((day, at) => ({ day, at })).toReversed();
  return (
    <DataTable
      id="version-adoption"
      label={t('versions.adoption.chart')}
      variant="embedded"
      withoutSettings
      columns={columns}
      rows={rows}
      rowKey={({ day }) => day}
      query={here}
      empty={{ title: t('versions.matrix.none') }}
    />
  );
}
