import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { METRIC_RETENTION, type MetricValues } from '@deviceportal/contract/device-metrics';
import { mergeBlocks } from '@deviceportal/device-protocol/merge-blocks';
import type { MetricBlock } from '@deviceportal/device-protocol/metric-block';
import { encodeMetricMessage } from '@deviceportal/device-protocol/metric-message';
import { blockOf } from '@deviceportal/device-protocol/metric-sample';
import { storeSamples, type DeviceSamples } from '../../src/device-metrics/store-samples.ts';
import type { MetricRetention } from '../../src/device-metrics/schedule-device-metrics.ts';
import type { DownMessage, OverflowKind, Refusal } from '../../src/gateway/device-transport.ts';
import type {
  GatewayDependencies,
  SkippedSamples,
} from '../../src/gateway/gateway-dependencies.ts';
import { MetricIngest, type MetricIngestOptions } from '../../src/gateway/ingest-metrics.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { inTransaction, type Database } from '../../src/platform/database/database.ts';
import { testConnection } from '../support/brokers/test-connection.ts';
import { quietLogger, seedDevices } from '../support/gateway-fixture.ts';
import { testDeviceKeys } from '../support/run-signing.ts';

export const retention: MetricRetention = {
  metricSampleDays: METRIC_RETENTION.sampleDays,
  metricQuarterHourDays: METRIC_RETENTION.quarterHourDays,
  metricDayDays: METRIC_RETENTION.dayDays,
};

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A sample every minute. */
export function samplesOf(
  fromMs: number,
  count: number,
  valuesAt: (index: number) => MetricValues = (index) => ({ cpuUsedPercent: index % 100 }),
): MetricBlock {
  return mergeBlocks(
    Array.from({ length: count }, (_, index) =>
      blockOf({ at: fromMs / 1_000 + index * 60, values: valuesAt(index) }),
    ),
  );
}

export interface MetricDevice {
  readonly deviceId: string;
  readonly instanceId: string;
}

export async function seedMetricDevice(
  database: Database,
  over: { readonly country?: string } = {},
): Promise<MetricDevice> {
  const device = { deviceId: newId(), instanceId: newInstanceId() };
  await seedDevices(database, [{ ...device, name: 'measured', ...over }]);
  return device;
}

export const store = (database: Database, ...batch: readonly DeviceSamples[]) =>
  inTransaction(database, (tx) => storeSamples(tx, batch));

export const messageOf = (instanceId: string, block: MetricBlock, upTo = 1): Uint8Array =>
  encodeMetricMessage({ instanceId, upTo, dropped: 0, block });

export interface MetricsAcked {
  readonly deviceId: string;
  readonly upTo: number;
  readonly waitMs?: number;
}

/** A gateway whose transport has no devices. */
export const gatewayDependencies = (
  database: Database,
  onAck: (ack: MetricsAcked) => void = () => {},
): GatewayDependencies => ({
  database,
  changes: createLocalChangeFeed(() => {}),
  transport: {
    ownsConnections: false,
    listeningMs: () => HOUR_MS,
    start: async () => {},
    publish: (messages: readonly DownMessage[]) => {
      for (const { deviceId, payload } of messages)
        onAck({ deviceId, ...(JSON.parse(payload) as Omit<MetricsAcked, 'deviceId'>) });
    },
    disconnect: () => {},
    [Symbol.asyncDispose]: async () => {},
  },
  authority: {
    sign: () => Promise.reject(new Error('not used')),
    authorities: '',
    isRotating: false,
  },
  deviceKeys: testDeviceKeys(),
  connection: testConnection(),
  logger: quietLogger,
  clock: () => new Date(),
});

/** The part of a gateway that takes metrics. */
export function openMetricIngest(database: Database, options: MetricIngestOptions = {}) {
  const acks: MetricsAcked[] = [];
  const refusals: Refusal[] = [];
  const overflows: { deviceId: string; kind: OverflowKind; count: number }[] = [];
  const stored: number[] = [];
  const skipped: [SkippedSamples, number][] = [];
  const deps: GatewayDependencies = {
    ...gatewayDependencies(database, (ack) => void acks.push(ack)),
    meter: {
      journalEntries() {},
      heartbeats() {},
      refused() {},
      overLimit() {},
      storedSamples: (count) => void stored.push(count),
      skippedSamples: (reason, count) => void skipped.push([reason, count]),
      queued() {},
      dropped() {},
    },
  };
  const recorders = {
    refusals: { record: (refusal: Refusal) => void refusals.push(refusal) },
    overflow: {
      note: (deviceId: string, kind: OverflowKind, count = 1) =>
        void overflows.push({ deviceId, kind, count }),
    },
  };
  const ingest = new MetricIngest(deps, recorders, options);
  return { ingest, acks, refusals, overflows, stored, skipped };
}
