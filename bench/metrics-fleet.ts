import { mergeBlocks } from '@deviceportal/device-protocol/merge-blocks';
import type { MetricBlock } from '@deviceportal/device-protocol/metric-block';
import { encodeMetricMessage } from '@deviceportal/device-protocol/metric-message';
import { blockOf } from '@deviceportal/device-protocol/metric-sample';
import { describeFleet } from '../apps/agent/src/fleet/describe-fleet.ts';
import { newHealth } from '../apps/agent/src/fleet/device-health.ts';
import { simulateMetrics } from '../apps/agent/src/fleet/simulate-metrics.ts';
import { ensureMetricPartitions } from '../apps/server/src/device-metrics/data/metric-partitions.ts';
import { MetricIngest } from '../apps/server/src/gateway/ingest-metrics.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { loggedBytes, silentGateway, type InstalledDevice } from './silent-gateway.ts';

const HOUR_SECONDS = 3_600;
const PLANS = 40;
/** Every device of the bench has this many. */
const VALUES = 12;

const plans = describeFleet(PLANS, 'bench').devices;
/** The hour that the bench writes: the last whole one. */
const startSeconds = Math.floor(Date.now() / 1_000 / HOUR_SECONDS) * HOUR_SECONDS - HOUR_SECONDS;

/** Samples of a simulated device, one every minute. */
export function sampleBlock(
  plan: number,
  {
    samples,
    fromSeconds = startSeconds,
  }: { readonly samples: number; readonly fromSeconds?: number },
): MetricBlock {
  const device = plans[plan % PLANS] ?? plans[0];
  if (device === undefined) throw new Error('the fleet is empty');
  const health = newHealth(device);
  const blocks = Array.from({ length: samples }, (_, index) => {
    const at = fromSeconds + index * 60;
    const values = simulateMetrics({ plan: device, health, timeMs: at * 1_000, isFaulty: true });
    const twelve = Object.fromEntries(Object.entries(values).slice(0, VALUES));
    return blockOf({ at, values: twelve });
  });
  return mergeBlocks(blocks);
}

export const messageBytes = (
  plan: number,
  {
    instanceId,
    samples,
    fromSeconds,
  }: { readonly instanceId: string; readonly samples: number; readonly fromSeconds?: number },
): Uint8Array =>
  encodeMetricMessage({
    instanceId,
    upTo: 123_456,
    dropped: 0,
    block: sampleBlock(plan, { samples, ...(fromSeconds !== undefined && { fromSeconds }) }),
  });

interface Spent {
  readonly spentMs: number;
  readonly loggedBytes: number;
}

/** Sends what all devices measured to the part of the gateway that stores it. */
export class MetricFleet {
  readonly #database: Database;
  readonly #devices: readonly InstalledDevice[];

  constructor(database: Database, devices: readonly InstalledDevice[]) {
    this.#database = database;
    this.#devices = devices;
  }

  minute(minute: number): Promise<Spent> {
    return this.#send({ samples: 1, fromSeconds: startSeconds + minute * 60 });
  }

  fiveMinutes(minute: number): Promise<Spent> {
    return this.#send({ samples: 5, fromSeconds: startSeconds + minute * 60 });
  }

  async #send(part: { readonly samples: number; readonly fromSeconds: number }): Promise<Spent> {
    const database = this.#database;
    await ensureMetricPartitions(database, { now: new Date(), sampleDays: 7 });
    await database.pool.query('checkpoint');
    const messages = this.#devices.map(({ deviceId, instanceId }, index) => ({
      deviceId,
      payload: messageBytes(index % PLANS, { instanceId, ...part }),
    }));
    const before = await loggedBytes(database);
    let acknowledged = 0;
    const recorders = { refusals: { record() {} }, overflow: { note() {} } };
    const deps = silentGateway(database, {
      clock: () => new Date(),
      onPublish: (acks) => {
        acknowledged += acks.length;
      },
    });
    const startedAt = performance.now();
    {
      await using ingest = new MetricIngest(deps, recorders);
      await Promise.all(messages.map((message) => ingest.take(message)));
    }
    const spentMs = performance.now() - startedAt;
    if (acknowledged !== messages.length)
      throw new Error(`${acknowledged} of ${messages.length} messages acknowledged`);
    return { spentMs, loggedBytes: (await loggedBytes(database)) - before };
  }
}
