import {
  heartbeatMessageSchema,
  type HeartbeatMessage,
} from '@deviceportal/device-protocol/messages';
import { HEARTBEAT_QUOTA, type BucketRule } from '@deviceportal/contract/device-limits';
import { recordAudit } from '../audit-trail/record-audit.ts';
import {
  applyHeartbeats,
  lockConnectivity,
  reviveUnknown,
  type ConnectivityChange,
} from '../devices/data/apply-connectivity.ts';
import { findServedDevices } from '../devices/data/connections/served-instances.ts';
import { sanitizeReportedText } from '../devices/list/sanitize-reported-text.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { connectionFor } from './connection-settings.ts';
import type { UpMessage } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { auditOf, changesOf } from './ingest-status.ts';
import { MicroBatcher } from './micro-batcher.ts';
import { parseUpMessage } from './parse-up-message.ts';
import type { Recorders } from './record-overflow.ts';

const BATCH_WAIT_MS = 1_000;
const MAX_BATCH = 5_000;

interface Heartbeat {
  readonly deviceId: string;
  readonly heartbeat: HeartbeatMessage;
  readonly at: Date;
}

/** Stores the self-checks of devices, one per minute each, in batches. A lost one is followed by the next. */
export class HeartbeatIngest implements AsyncDisposable {
  readonly #deps: GatewayDependencies;
  readonly #recorders: Recorders;
  readonly #quota: TokenBuckets;
  readonly #onHeard: (deviceIds: readonly string[]) => void;
  readonly #batcher: MicroBatcher<Heartbeat>;

  /** @param onHeard called with the devices whose state was unknown until this heartbeat */
  constructor(
    deps: GatewayDependencies,
    recorders: Recorders,
    options: { readonly onHeard: (deviceIds: readonly string[]) => void; readonly waitMs?: number },
  ) {
    this.#deps = deps;
    this.#recorders = recorders;
    this.#quota = new TokenBuckets(quotaFor(deps.connection.heartbeatSeconds));
    this.#onHeard = options.onHeard;
    this.#batcher = new MicroBatcher({
      waitMs: options.waitMs ?? BATCH_WAIT_MS,
      maxItems: MAX_BATCH,
      handle: (heartbeats) => this.#handle(heartbeats),
    });
  }

  take({ deviceId, payload }: Pick<UpMessage, 'deviceId' | 'payload'>): Promise<void> {
    if (!this.#quota.of(deviceId).take()) {
      this.#recorders.overflow.note(deviceId, 'heartbeats');
      return Promise.resolve();
    }
    const parsed = parseUpMessage(heartbeatMessageSchema, payload);
    if (parsed.message)
      return this.#batcher.add({ deviceId, heartbeat: parsed.message, at: this.#deps.clock() });
    this.#recorders.refusals.record({
      deviceId,
      reason: 'broken-payload',
      detail: `heartbeat: ${parsed.fault}`,
    });
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#batcher[Symbol.asyncDispose]();
  }

  async #handle(heartbeats: readonly Heartbeat[]): Promise<void> {
    const { database, changes, transport, connection, logger, meter } = this.#deps;
    meter?.heartbeats(heartbeats.length);
    try {
      const { own, changed, revived } = await inTransaction(database, (tx) =>
        store(tx, heartbeats),
      );
      changes.publish(changesOf(changed));
      transport.publish(connectionFor(own, connection));
      if (revived.length === 0) return;
      changes.publish([{ kind: 'device-status', deviceIds: revived }]);
      this.#onHeard(revived);
    } catch (error) {
      logger.warn({ err: error }, 'heartbeat write failed');
    }
  }
}

/** `HEARTBEAT_QUOTA` is for a heartbeat per minute. */
const quotaFor = (seconds: number): BucketRule => ({
  ...HEARTBEAT_QUOTA,
  perSecond: HEARTBEAT_QUOTA.perSecond * Math.max(1, 60 / seconds),
});

async function store(
  tx: Transaction,
  heartbeats: readonly Heartbeat[],
): Promise<{ own: readonly Heartbeat[]; changed: ConnectivityChange[]; revived: string[] }> {
  const served = await findServedDevices(
    tx,
    heartbeats.map(({ heartbeat }) => heartbeat.instanceId),
  );
  const own = heartbeats.filter(
    ({ heartbeat, deviceId }) => served.get(heartbeat.instanceId) === deviceId,
  );
  await lockConnectivity(
    tx,
    own.map(({ deviceId }) => deviceId),
  );
  const revived = await reviveUnknown(
    tx,
    own.map(({ deviceId }) => deviceId),
  );
  const changed = await applyHeartbeats(
    tx,
    own.map(({ deviceId, heartbeat, at }) => ({
      deviceId,
      at,
      failing: heartbeat.failing.map((each) => sanitizeReportedText(each, ['fact'])),
      diskUsedPercent: heartbeat.diskUsedPercent,
      memoryUsedPercent: heartbeat.memoryUsedPercent,
      uptimeSeconds: heartbeat.uptimeSeconds,
    })),
  );
  await recordAudit(tx, changed.flatMap(auditOf));
  return { own, changed, revived };
}
