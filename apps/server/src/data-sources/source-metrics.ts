import { Gauge } from 'prom-client';
import type { DataSourceView } from '@deviceportal/contract/data-sources';
import type { Metrics } from '../platform/metrics.ts';
import type { DataSourcesDeps } from './data-sources-deps.ts';
import { listDataSources } from './list-data-sources.ts';

type FlowGauge = Gauge<'direction' | 'source'>;

/** Metrics of the outside systems. They are the same on every server that exports them. */
export function measureDataSources(
  { registry }: Pick<Metrics, 'registry'>,
  deps: DataSourcesDeps,
): void {
  const registers = [registry];
  // An unavailable database has its own metric; the other metrics must still be collected.
  const outside = async (): Promise<readonly DataSourceView[]> =>
    (await listDataSources(deps).catch(() => [])).filter(({ place }) => place === 'outside');
  const delay: FlowGauge = new Gauge({
    name: 'deviceportal_data_source_delay_seconds',
    help: 'Time that changes wait on their way from (in) or to (out) an outside system.',
    labelNames: ['source', 'direction'],
    registers,
    collect: () => setEach(delay, ({ delayMs }) => delayMs && delayMs / 1_000),
  });
  const waiting: FlowGauge = new Gauge({
    name: 'deviceportal_data_source_waiting',
    help: 'Changes that wait on their way from (in) or to (out) an outside system.',
    labelNames: ['source', 'direction'],
    registers,
    collect: () => setEach(waiting, ({ waitingCount }) => waitingCount),
  });
  const failing = new Gauge({
    name: 'deviceportal_data_source_failing',
    help: 'Whether an outside system fails (1) or not (0).',
    labelNames: ['source'],
    registers,
    async collect() {
      failing.reset();
      for (const { source, fault } of await outside()) {
        failing.set({ source }, fault === null ? 0 : 1);
      }
    },
  });
  async function setEach(
    gauge: FlowGauge,
    valueOf: (flow: NonNullable<DataSourceView['incoming']>) => number | null,
  ): Promise<void> {
    const sources = await outside();
    gauge.reset();
    for (const { source, incoming, outgoing } of sources) {
      for (const [direction, flow] of [
        ['in', incoming],
        ['out', outgoing],
      ] as const) {
        const value = flow && valueOf(flow);
        if (value !== null) gauge.set({ source, direction }, value);
      }
    }
  }
}
