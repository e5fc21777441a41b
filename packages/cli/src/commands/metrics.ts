import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { TableColumn } from '../output/format-table.ts';
import type { Session } from '../session.ts';
import { findDevice } from './devices.ts';

type Metrics = OperationOutput<'getDeviceMetrics'>;
type Series = Metrics['series'][number];

export interface MetricOptions {
  readonly from?: string;
  readonly to?: string;
  readonly metric?: readonly Series['metric'][];
  readonly points?: number;
}

const columns: readonly TableColumn<Series>[] = [
  { title: 'metric', value: ({ metric }) => metric },
  { title: 'unit', value: ({ unit }) => unit },
  { title: 'newest', value: ({ mean }) => known(mean).at(-1) },
  { title: 'least', value: ({ min }) => least(known(min)) },
  { title: 'most', value: ({ max }) => most(known(max)) },
];

const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null);
const least = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : Math.min(...values);
const most = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : Math.max(...values);

/** What a device has measured: a summary, or with `--json` all points. */
export async function showMetrics(
  session: Session,
  named: string,
  options: MetricOptions,
): Promise<void> {
  const { printer } = session;
  const api = await session.api();
  const { id } = await findDevice(api, named);
  const metrics = await api.call('getDeviceMetrics', {
    ...{ params: { device: id }, query: { ...options } },
  });
  if (printer.isJson) printer.json(metrics);
  else await printer.list(metrics.series, columns, 'No metrics in this time range.');
}
