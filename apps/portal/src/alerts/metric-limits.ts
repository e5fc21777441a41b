import type { alertComparisons } from '@deviceportal/contract/alerts';
import type { MetricName } from '@deviceportal/contract/device-metrics';

export interface MetricLimit {
  readonly comparison: (typeof alertComparisons)[number];
  readonly value: number;
}

const atLeast = (value: number): MetricLimit => ({ comparison: 'atLeast', value });
const atMost = (value: number): MetricLimit => ({ comparison: 'atMost', value });

/** From where a metric is usually a problem, for new rules. */
export const usualLimits: Readonly<Record<MetricName, MetricLimit>> = {
  cpuUsedPercent: atLeast(90),
  loadAverage: atLeast(8),
  memoryUsedPercent: atLeast(90),
  swapUsedPercent: atLeast(50),
  diskUsedPercent: atLeast(90),
  temperatureCelsius: atLeast(80),
  batteryPercent: atMost(10),
  networkLatencyMs: atLeast(500),
  networkLossPercent: atLeast(5),
  signalDbm: atMost(-100),
  receivedKilobytesPerSecond: atLeast(10_000),
  sentKilobytesPerSecond: atLeast(10_000),
  processRestarts: atLeast(5),
  clockOffsetMs: atLeast(60_000),
};
