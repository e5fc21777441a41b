import type { ReactNode } from 'react';
import type { DeviceMetrics, MetricSeries } from '@deviceportal/contract/device-metrics';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import {
  comparedAt,
  type ComparedByMetric,
  type ComparedSeries,
} from './comparisons/compared-series.ts';
import { metricValue, metricWords } from './metric-words.ts';

interface MetricsTableProps {
  readonly metrics: DeviceMetrics;
  readonly compared: ComparedByMetric;
}

/** The values of the charts, for screen readers and for copying. */
export function MetricsTable({ metrics, compared }: MetricsTableProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { times, series } = metrics;
  const columns = columnsOf(series, compared);
  // A point of a gap has no values.
  const rows = times.flatMap((time, index) =>
    series.some(({ mean }) => (mean[index] ?? null) !== null) ? [{ time, index }] : [],
  );
  return (
    <div className="dp-metric-table" role="region" aria-label={t('metrics.table')} tabIndex={0}>
      <table>
        <caption>{t('metrics.tableNote')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('metrics.time')}</th>
            {columns.map(({ own, other }) => (
              <th scope="col" key={keyOf({ own, other })}>
                {other === undefined
                  ? metricWords(own.metric, t)
                  : t(`metrics.table.${other.kind}`, {
                      metric: metricWords(own.metric, t),
                      name: other.name,
                    })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ time, index }) => (
            <tr key={time}>
              <th scope="row">{format.absolute(Date.parse(time))}</th>
              {columns.map(({ own, other }) => {
                const value =
                  other === undefined
                    ? (own.mean[index] ?? null)
                    : (comparedAt(other, Date.parse(time))?.mean ?? null);
                return (
                  <td key={keyOf({ own, other })}>
                    {value === null ? '–' : metricValue(own.metric, value, { t, format })}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Values of the device, or of what a metric is compared with. */
interface Column {
  readonly own: MetricSeries;
  readonly other: ComparedSeries | undefined;
}

const columnsOf = (series: readonly MetricSeries[], compared: ComparedByMetric): Column[] =>
  series.flatMap((own) => [
    { own, other: undefined },
    ...(compared.get(own.metric) ?? []).map((other) => ({ own, other })),
  ]);

const keyOf = ({ own, other }: Column): string => `${own.metric} ${other?.kind ?? ''}`;
