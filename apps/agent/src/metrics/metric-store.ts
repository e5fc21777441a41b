import type { MetricSample } from '@deviceportal/device-protocol/metric-sample';
import { MetricBacklog, type AppendOptions, type BacklogPart } from './metric-backlog.ts';

/** Where an agent keeps its samples until the server acknowledges them. */
export interface MetricStore {
  readonly samples: number;
  append(sample: MetricSample, options?: AppendOptions): void;
  oldest(most: number): BacklogPart | undefined;
  acknowledge(upTo: number): void;
}

/** Lost with the process, for simulated devices. */
export const createMemoryMetricStore = (): MetricStore => new MetricBacklog();
