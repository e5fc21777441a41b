import { METRIC_FUTURE_LIMIT_MS, METRIC_RETENTION } from '@deviceportal/contract/device-metrics';
import { METRIC_QUOTA } from '@deviceportal/contract/device-limits';
import { filterBlock } from '@deviceportal/device-protocol/merge-blocks';
import type { MetricBlock } from '@deviceportal/device-protocol/metric-block';
import {
  decodeMetricMessage,
  type MetricMessage,
  type MetricsAck,
} from '@deviceportal/device-protocol/metric-message';
import { possibleValues } from '@deviceportal/device-protocol/metric-sample';
import { DAY_SECONDS, hourOf } from '../device-metrics/metric-time.ts';
import { withLoss } from '../device-metrics/sample-losses.ts';
import { storeSamples, type DeviceSamples } from '../device-metrics/store-samples.ts';
import { findServedDevices } from '../devices/data/connections/served-instances.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { isTransientFault } from '../platform/database/errors/database-fault.ts';
import { Turn } from '../platform/process/turn.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { traced } from '../platform/tracing/traced.ts';
import type { DownMessage, UpMessage } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { MetricQueue, type MetricDelivery } from './metric-queue.ts';
import type { Recorders } from './record-overflow.ts';

const BATCH_WAIT_MS = 500;
/** What one more hour costs, in values: each is a row of its own. */
const HOUR_COST = 20;
/** How long a device beyond its quota waits. */
const OVER_QUOTA_WAIT_MS = 600_000;

export interface MetricIngestOptions {
  readonly batchWaitMs?: number;
  /** Of all messages that wait; above this, messages are dropped without acknowledgment. */
  readonly mostQueuedBytes?: number;
}

/**
 * Stores samples of devices in batches. Acknowledged after the commit: a device sends again what is
 * not acknowledged, which changes nothing. A message that cannot be stored is refused and
 * acknowledged, and the others of its batch are stored.
 */
export class MetricIngest implements AsyncDisposable {
  readonly #deps: GatewayDependencies;
  readonly #recorders: Recorders;
  readonly #quota = new TokenBuckets(METRIC_QUOTA);
  readonly #queue: MetricQueue;

  constructor(
    deps: GatewayDependencies,
    recorders: Recorders,
    { batchWaitMs = BATCH_WAIT_MS, mostQueuedBytes }: MetricIngestOptions = {},
  ) {
    this.#deps = deps;
    this.#recorders = recorders;
    this.#queue = new MetricQueue({
      waitMs: batchWaitMs,
      ...(mostQueuedBytes !== undefined && { mostBytes: mostQueuedBytes }),
      handle: (deliveries) => this.#handle(deliveries),
    });
  }

  /**
   * Resolves when the samples are committed or refused, or have to be sent again. A message that is
   * still queued when the next one of its device arrives is replaced by it.
   */
  take({ deviceId, payload }: Pick<UpMessage, 'deviceId' | 'payload'>): Promise<void> {
    let message: MetricMessage;
    try {
      message = decodeMetricMessage(payload);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#refuse(deviceId, error.message);
      return Promise.resolve();
    }
    const { times } = message.block;
    const size = times.length + valueCountOf(message.block);
    if (!this.#queue.hasRoom(size)) {
      this.#deps.meter?.skippedSamples('queue-full', times.length);
      return Promise.resolve();
    }
    const cost = size + HOUR_COST * new Set(times.map(hourOf)).size + 1;
    if (!this.#quota.of(deviceId).take(cost)) {
      this.#recorders.overflow.note(deviceId, 'metrics', cost);
      this.#acknowledge([{ deviceId, upTo: 0, waitMs: OVER_QUOTA_WAIT_MS }]);
      return Promise.resolve();
    }
    return this.#queue.add({ deviceId, message, size });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }

  async #handle(deliveries: readonly MetricDelivery[]): Promise<void> {
    const { logger } = this.#deps;
    try {
      const attributes = { 'messaging.batch.message_count': deliveries.length };
      await traced({ kind: 'consumer', name: 'metrics batch', attributes }, () =>
        this.#storeIsolating(deliveries),
      );
    } catch (error) {
      // What was not acknowledged is not lost.
      logger.warn({ err: error }, 'metrics batch failed; devices will resend it');
    }
  }

  /** Halves a batch that the database rejects until the offending message is alone, and refuses it. */
  async #storeIsolating(deliveries: readonly MetricDelivery[]): Promise<void> {
    try {
      await this.#storeAll(deliveries);
    } catch (error) {
      if (isTransientFault(error)) throw error;
      const [only] = deliveries;
      if (deliveries.length === 1 && only !== undefined) return this.#storeAgain(only);
      const middle = Math.ceil(deliveries.length / 2);
      await this.#storeIsolating(deliveries.slice(0, middle));
      await this.#storeIsolating(deliveries.slice(middle));
    }
  }

  /** A row is rejected once if its partition is attached at that moment (23514). */
  async #storeAgain(delivery: MetricDelivery): Promise<void> {
    try {
      await this.#storeAll([delivery]);
    } catch (error) {
      if (isTransientFault(error)) throw error;
      const { deviceId } = delivery;
      this.#deps.logger.warn({ err: error, deviceId }, 'metrics message skipped');
      this.#refuse(deviceId, 'cannot be stored');
      this.#acknowledgeAll([delivery]);
    }
  }

  async #storeAll(deliveries: readonly MetricDelivery[]): Promise<void> {
    const { database, meter } = this.#deps;
    const startedAt = performance.now();
    const { done, samples } = await inTransaction(database, (tx) => this.#store(tx, deliveries));
    meter?.storedSamples(samples, (performance.now() - startedAt) / 1_000);
    this.#acknowledgeAll(done);
  }

  /** @returns what is stored, or refused for good, and the number of stored samples */
  async #store(
    tx: Transaction,
    deliveries: readonly MetricDelivery[],
  ): Promise<{ readonly done: readonly MetricDelivery[]; readonly samples: number }> {
    const served = await findServedDevices(tx, [
      ...new Set(deliveries.map(({ message }) => message.instanceId)),
    ]);
    const own: MetricDelivery[] = [];
    for (const delivery of deliveries) {
      const { deviceId, message } = delivery;
      if (served.get(message.instanceId) === deviceId) own.push(delivery);
      else
        this.#recorders.refusals.record({
          deviceId,
          reason: 'not-admitted',
          detail: 'metrics of no current instance',
        });
    }
    const accepted: DeviceSamples[] = [];
    const turn = new Turn();
    for (const delivery of own) {
      accepted.push(...this.#acceptedOf(delivery));
      await turn.pause();
    }
    const full = await storeSamples(tx, accepted);
    for (const { deviceId } of full) this.#recorders.overflow.note(deviceId, 'metrics');
    const samples = accepted.reduce((sum, { block }) => sum + block.times.length, 0);
    return { done: own, samples };
  }

  /** Samples that can be stored. Others would not be, whenever they are sent again. */
  #acceptedOf({ deviceId, message }: MetricDelivery): readonly DeviceSamples[] {
    const nowMs = this.#deps.clock().getTime();
    const { metricSampleDays = METRIC_RETENTION.sampleDays } = this.#deps;
    const oldest = nowMs / 1_000 - metricSampleDays * DAY_SECONDS;
    const newest = (nowMs + METRIC_FUTURE_LIMIT_MS) / 1_000;
    const past = filterBlock(message.block, (time) => time <= newest);
    const future = message.block.times.length - past.times.length;
    if (future > 0) this.#refuse(deviceId, `${future} samples of the future`);
    const block = possibleValues(filterBlock(past, (time) => time >= oldest));
    const expired = past.times.length - block.times.length;
    // The device had no connection for long, or its clock was wrong when it started.
    if (expired > 0) this.#deps.meter?.skippedSamples('expired', expired);
    return hasValues(block) ? [{ deviceId, block: withLoss(block, message.dropped) }] : [];
  }

  #refuse(deviceId: string, detail: string): void {
    this.#recorders.refusals.record({
      deviceId,
      reason: 'broken-payload',
      detail: `metrics: ${detail}`,
    });
  }

  #acknowledgeAll(deliveries: readonly MetricDelivery[]): void {
    this.#acknowledge(
      deliveries.map(({ deviceId, message }) => ({ deviceId, upTo: message.upTo })),
    );
  }

  #acknowledge(acks: readonly (MetricsAck & { readonly deviceId: string })[]): void {
    this.#deps.transport.publish(
      acks.map(({ deviceId, ...ack }): DownMessage => ({
        deviceId,
        channel: 'metrics-ack',
        payload: JSON.stringify(ack),
        qos: 0,
      })),
    );
  }
}

function valueCountOf({ columns }: MetricBlock): number {
  let count = 0;
  for (const values of columns.values()) count += values.length;
  return count;
}

const hasValues = ({ columns }: MetricBlock): boolean =>
  columns.values().some((values) => values.some((value) => value !== null));
