import {
  heartbeatMessageSchema,
  type HeartbeatMessage,
} from '@deviceportal/device-protocol/messages';
import { HEARTBEAT_QUOTA, type BucketRule } from '@deviceportal/contract/device-limits';
import { recordAudit } from '../audit-trail/record-audit.ts';
import {
  applyHeartbeats,
  lockConnectivity,
  reviveHeard,
  reviveProven,
  type ConnectivityChange,
} from '../devices/data/apply-connectivity.ts';
import { writeContacts } from '../devices/data/connections/device-contacts.ts';
import { findServedDevices } from '../devices/data/connections/served-instances.ts';
import { sanitizeReportedText } from '../devices/list/sanitize-reported-text.ts';
import { notifyDevicesBack } from '../notifications/notify-devices-back.ts';
import type { Change } from '../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { traced } from '../platform/tracing/traced.ts';
import { connectionFor } from './connection-settings.ts';
import type { UpMessage } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { auditOf, changesOf, findOfEnded } from './ingest-status.ts';
import { MicroBatcher } from './micro-batcher.ts';
import { parseUpMessage } from './parse-up-message.ts';
import type { Recorders } from './record-overflow.ts';
import { WrittenHeartbeats } from './written-heartbeats.ts';

const BATCH_WAIT_MS = 1_000;
const MAX_BATCH = 5_000;

interface Heartbeat {
  readonly deviceId: string;
  readonly heartbeat: HeartbeatMessage;
  readonly at: Date;
  /** When a queue received it; undefined for one that came by a connection. */
  readonly receivedAt: Date | undefined;
}

/**
 * Stores the self-checks of devices in batches, one per minute each if nothing changes. A lost one is followed by the
 * next.
 */
export class HeartbeatIngest implements AsyncDisposable {
  readonly #deps: GatewayDependencies;
  readonly #recorders: Recorders;
  readonly #quota: TokenBuckets;
  readonly #onHeard: (deviceIds: readonly string[]) => void;
  readonly #written: WrittenHeartbeats;
  readonly #changes: Disposable;
  readonly #batcher: MicroBatcher<Heartbeat>;

  /** @param onHeard called with the devices whose state was unknown until this heartbeat, or offline */
  constructor(
    deps: GatewayDependencies,
    recorders: Recorders,
    options: { readonly onHeard: (deviceIds: readonly string[]) => void; readonly waitMs?: number },
  ) {
    this.#deps = deps;
    this.#recorders = recorders;
    this.#quota = new TokenBuckets(quotaFor(deps.connection.heartbeatSeconds));
    this.#onHeard = options.onHeard;
    this.#written = new WrittenHeartbeats(deps.connection.revision);
    this.#changes = deps.changes.subscribe((change) => {
      if (change.kind === 'device-status') this.#written.forget(change.deviceIds);
    });
    this.#batcher = new MicroBatcher({
      waitMs: options.waitMs ?? BATCH_WAIT_MS,
      maxItems: MAX_BATCH,
      handle: (heartbeats) => this.#handle(heartbeats),
    });
  }

  take({
    deviceId,
    payload,
    receivedAt,
  }: Pick<UpMessage, 'deviceId' | 'payload' | 'receivedAt'>): Promise<void> {
    if (!this.#quota.of(deviceId).take()) {
      this.#recorders.overflow.note(deviceId, 'heartbeats');
      return Promise.resolve();
    }
    const parsed = parseUpMessage(heartbeatMessageSchema, payload);
    if (parsed.message)
      return this.#batcher.add({
        ...{ deviceId, heartbeat: parsed.message, receivedAt },
        at: receivedAt ?? this.#deps.clock(),
      });
    this.#recorders.refusals.record({
      deviceId,
      reason: 'broken-payload',
      detail: `heartbeat: ${parsed.fault}`,
    });
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#changes[Symbol.dispose]();
    return this.#batcher[Symbol.asyncDispose]();
  }

  async #handle(heartbeats: readonly Heartbeat[]): Promise<void> {
    const { database, transport, clock, logger, meter } = this.#deps;
    meter?.heartbeats(heartbeats.length);
    const mustWrite = (heartbeat: Heartbeat): boolean =>
      transport.ownsConnections || this.#written.mustWrite(heartbeat);
    const written = heartbeats.filter(mustWrite);
    const isWritten = new Set(written);
    const others = heartbeats.filter((heartbeat) => !isWritten.has(heartbeat));
    try {
      const deviceIds = others.map(({ deviceId }) => deviceId);
      const attributes = { 'messaging.batch.message_count': heartbeats.length };
      await traced({ kind: 'consumer', name: 'heartbeat batch', attributes }, async () => {
        await writeContacts(database.orm, { deviceIds, at: clock() });
        if (written.length > 0) await this.#write(written);
      });
    } catch (error) {
      logger.warn({ err: error }, 'heartbeat write failed');
    }
  }

  async #write(heartbeats: readonly Heartbeat[]): Promise<void> {
    const { database, changes, transport, connection } = this.#deps;
    const stored = await inTransaction(database, (tx) => store(tx, heartbeats));
    this.#written.forget(heartbeats.map(({ deviceId }) => deviceId));
    if (!transport.ownsConnections) this.#written.note(stored.own);
    changes.publish([...changesOf(stored.changed), ...stored.told]);
    transport.publish(connectionFor(stored.own, connection));
    if (stored.revived.length === 0) return;
    changes.publish([{ kind: 'device-status', deviceIds: stored.revived }]);
    this.#onHeard(stored.revived);
  }
}

/** `HEARTBEAT_QUOTA` is for a heartbeat per minute. */
const quotaFor = (seconds: number): BucketRule => ({
  ...HEARTBEAT_QUOTA,
  perSecond: HEARTBEAT_QUOTA.perSecond * Math.max(1, 60 / seconds),
});

interface Stored {
  /** Heartbeats of the current instance of their device. */
  readonly own: readonly Heartbeat[];
  readonly changed: readonly ConnectivityChange[];
  /** Devices that were unknown, or gone. */
  readonly revived: readonly string[];
  readonly told: readonly Change[];
}

async function store(tx: Transaction, heartbeats: readonly Heartbeat[]): Promise<Stored> {
  const served = await findServedDevices(
    tx,
    heartbeats.map(({ heartbeat }) => heartbeat.instanceId),
  );
  const own = heartbeats.filter(
    ({ heartbeat, deviceId }) => served.get(heartbeat.instanceId) === deviceId,
  );
  const deviceIds = own.map(({ deviceId }) => deviceId);
  await lockConnectivity(tx, deviceIds);
  const late = await findOfEnded(tx, own);
  const timely = own.filter((heartbeat) => !late.has(heartbeat));
  const proofs = timely.filter(({ receivedAt }) => receivedAt !== undefined);
  const revived = [
    ...(await reviveHeard(
      tx,
      timely.map(({ deviceId }) => deviceId),
    )),
    ...(await reviveProven(tx, proofs)),
  ];
  // That an unknown device was connected all the time is no event.
  const returned = revived.filter(({ before }) => before === 'offline');
  const changed = [
    ...returned,
    ...(await applyHeartbeats(
      tx,
      own.map(({ deviceId, heartbeat, at }) => ({
        deviceId,
        at,
        failing: heartbeat.failing.map((each) => sanitizeReportedText(each, ['fact'])),
        diskUsedPercent: heartbeat.diskUsedPercent,
        memoryUsedPercent: heartbeat.memoryUsedPercent,
        uptimeSeconds: heartbeat.uptimeSeconds,
        heartbeatSeconds: heartbeat.everySeconds ?? null,
      })),
    )),
  ];
  await recordAudit(tx, changed.flatMap(auditOf));
  const told = await notifyDevicesBack(
    tx,
    returned.map(({ deviceId }) => deviceId),
  );
  return { own, changed, revived: revived.map(({ deviceId }) => deviceId), told };
}
