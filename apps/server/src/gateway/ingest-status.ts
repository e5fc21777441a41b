import { statusMessageSchema, type StatusMessage } from '@deviceportal/device-protocol/messages';
import { PRESENCE_QUOTA } from '@deviceportal/contract/device-limits';
import { toPlainName } from '@deviceportal/contract/plain-name';
import { recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import {
  applyConnects,
  applyDisconnects,
  lockConnectivity,
  type ConnectivityChange,
} from '../devices/data/apply-connectivity.ts';
import { findConnectionEvents } from '../devices/data/connections/connection-events.ts';
import { findServedDevices } from '../devices/data/connections/served-instances.ts';
import {
  applyAddressCountries,
  type AddressCountry,
} from '../locations/by-address/apply-address-countries.ts';
import { notifyDevicesBack } from '../notifications/notify-devices-back.ts';
import type { Change } from '../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { retryWhileAway } from '../platform/database/errors/database-fault.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { authoritiesFor } from './certificates/announce-authorities.ts';
import { keysFor, recordAgents } from './certificates/announce-keys.ts';
import type { UpMessage } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { isOfEndedConnection } from './iot/connection-order.ts';
import { MicroBatcher } from './micro-batcher.ts';
import { parseUpMessage } from './parse-up-message.ts';
import type { Recorders } from './record-overflow.ts';

const BATCH_WAIT_MS = 5;
const MAX_BATCH = 2_000;

interface StatusReport {
  readonly deviceId: string;
  readonly status: StatusMessage;
  readonly at: Date;
  /** The address of the connection, as reported by the broker. */
  readonly address: string | null;
  /** When a queue received it; undefined for a report that came by a connection. */
  readonly receivedAt: Date | undefined;
}

/** Processes births, goodbyes, and wills of connections. */
export class StatusIngest implements AsyncDisposable {
  readonly #deps: GatewayDependencies;
  readonly #recorders: Recorders;
  readonly #quota = new TokenBuckets(PRESENCE_QUOTA);
  readonly #onConnected: (deviceIds: readonly string[]) => void;
  readonly #stop = new AbortController();
  #ownSideStops = false;
  readonly #batcher: MicroBatcher<StatusReport>;

  /** @param onConnected called after commit with the devices that opened a connection, each time they do */
  constructor(
    deps: GatewayDependencies,
    recorders: Recorders,
    onConnected: (deviceIds: readonly string[]) => void,
  ) {
    this.#deps = deps;
    this.#recorders = recorders;
    this.#onConnected = onConnected;
    this.#batcher = new MicroBatcher({
      waitMs: BATCH_WAIT_MS,
      maxItems: MAX_BATCH,
      handle: (reports) => this.#handle(reports),
    });
  }

  take({
    deviceId,
    payload,
    address = null,
    receivedAt,
  }: Pick<UpMessage, 'deviceId' | 'payload' | 'address' | 'receivedAt'>): Promise<void> {
    if (!this.#quota.of(deviceId).take()) {
      this.#recorders.overflow.note(deviceId, 'status-reports');
      return Promise.resolve();
    }
    const parsed = parseUpMessage(statusMessageSchema, payload);
    if (parsed.message?.state === 'offline' && this.#ownSideStops) return Promise.resolve();
    if (parsed.message)
      return this.#batcher.add({
        deviceId,
        status: parsed.message,
        at: receivedAt ?? this.#deps.clock(),
        ...{ address, receivedAt },
      });
    this.#recorders.refusals.record({
      deviceId,
      reason: 'broken-payload',
      detail: `status: ${parsed.fault}`,
    });
    return Promise.resolve();
  }

  /**
   * From now on connections end because this server stops: goodbyes and wills do not describe their devices. Resolves
   * when everything received before is stored.
   */
  async leave(): Promise<void> {
    this.#ownSideStops = true;
    await this.settled();
  }

  /** Resolves when everything received before is stored. */
  settled(): Promise<void> {
    return this.#batcher.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#batcher[Symbol.asyncDispose]();
  }

  async #handle(reports: readonly StatusReport[]): Promise<void> {
    for (const wave of wavesOf(reports)) {
      try {
        await retryWhileAway(() => this.#apply(wave), {
          signal: this.#stop.signal,
          onFault: (error) =>
            this.#deps.logger.warn(
              { err: error },
              'database unavailable; connection states queued',
            ),
        });
      } catch (error) {
        if (!this.#stop.signal.aborted)
          this.#deps.logger.error({ err: error }, 'connection state write failed');
      }
    }
  }

  async #apply(wave: readonly StatusReport[]): Promise<void> {
    const { database, changes, transport, deviceKeys, clock } = this.#deps;
    const countries = await findCountries(this.#deps, wave);
    const outcome = await inTransaction(database, async (tx) => {
      const served = await findServed(tx, wave);
      const late = await findOfEnded(tx, wave);
      const births = wave.filter((report) => report.status.state === 'online' && !late.has(report));
      const connects = births.filter((birth) => served.has(birth));
      // Locks instances before their devices, in the same order as journals.
      await recordAgents(tx, connects);
      if (births.length > 0 && births.length < wave.length)
        await lockConnectivity(
          tx,
          wave.map(({ deviceId }) => deviceId),
        );
      const changed = [
        ...(await applyConnects(tx, connects.map(toConnect))),
        ...(await applyDisconnects(tx, wave.filter(isOffline).map(toDisconnect))),
      ];
      await recordAudit(tx, changed.flatMap(auditOf));
      const moved = await applyAddressCountries(
        tx,
        connects.flatMap((connect) => countries.get(connect) ?? []),
      );
      const back = changed.filter(
        ({ before, after }) => isConnected(after) && !isConnected(before),
      );
      const told = await notifyDevicesBack(
        tx,
        back.map(({ deviceId }) => deviceId),
      );
      return {
        told,
        moved,
        changed,
        connects,
        unserved: births.filter((birth) => !connects.includes(birth)),
      };
    });
    changes.publish([
      ...changesOf(outcome.changed),
      ...(outcome.moved.length > 0
        ? [{ kind: 'device-changed' as const, deviceIds: outcome.moved }]
        : []),
      ...outcome.told,
    ]);
    // Sent before queued commands, so that a device verifies those with its new keys.
    transport.publish(await keysFor(outcome.connects, deviceKeys, clock()));
    const connected = outcome.connects.map(({ deviceId }) => deviceId);
    transport.publish(authoritiesFor(connected, this.#deps.authority));
    this.#onConnected(connected);
    for (const { deviceId } of outcome.unserved)
      this.#recorders.refusals.record({
        deviceId,
        reason: 'not-admitted',
        detail: 'no current instance',
      });
    transport.disconnect(outcome.unserved.map(({ deviceId }) => deviceId));
  }
}

/**
 * The countries from which devices connect, by their addresses; devices whose address has no known country have no
 * entry.
 */
async function findCountries(
  { countries, logger }: Pick<GatewayDependencies, 'countries' | 'logger'>,
  wave: readonly StatusReport[],
): Promise<ReadonlyMap<StatusReport, AddressCountry>> {
  const births = wave.filter(
    ({ status, address }) => status.state === 'online' && address !== null,
  );
  if (countries === undefined || births.length === 0) return new Map();
  try {
    const found = await countries.countriesOf(births.map(({ address }) => address));
    return new Map(
      births.flatMap((birth, index) => {
        const country = found[index] ?? null;
        const { deviceId, at } = birth;
        return country === null ? [] : [[birth, { deviceId, country, at }] as const];
      }),
    );
  } catch (error) {
    // A device is connected even if its country is unknown.
    logger.warn({ err: error }, 'country lookup failed');
    return new Map();
  }
}

/**
 * Splits reports into waves with each device at most once, in order: a birth and its will in the same batch must not
 * change places.
 */
function wavesOf(reports: readonly StatusReport[]): StatusReport[][] {
  const waves: StatusReport[][] = [];
  const depth = new Map<string, number>();
  for (const report of reports) {
    const level = depth.get(report.deviceId) ?? 0;
    depth.set(report.deviceId, level + 1);
    (waves[level] ??= []).push(report);
  }
  return waves;
}

/** Reports that belong to a connection that has ended since. */
export async function findOfEnded<
  Report extends { readonly deviceId: string; readonly receivedAt: Date | undefined },
>(tx: Transaction, reports: readonly Report[]): Promise<ReadonlySet<Report>> {
  const timed = reports.filter(({ receivedAt }) => receivedAt !== undefined);
  const known = await findConnectionEvents(
    tx,
    timed.map(({ deviceId }) => deviceId),
  );
  return new Set(
    timed.filter(
      ({ deviceId, receivedAt }) =>
        receivedAt !== undefined && isOfEndedConnection(receivedAt, known.get(deviceId)),
    ),
  );
}

/** Reports of the current instance of their own device: a report of one device must not change another. */
async function findServed(
  tx: Transaction,
  wave: readonly StatusReport[],
): Promise<Set<StatusReport>> {
  const owners = await findServedDevices(
    tx,
    wave.map(({ status }) => status.instanceId),
  );
  return new Set(wave.filter(({ deviceId, status }) => owners.get(status.instanceId) === deviceId));
}

const isOffline = ({ status }: StatusReport): boolean => status.state === 'offline';

const toConnect = ({ deviceId, status, at }: StatusReport) => ({
  deviceId,
  connectionId: status.connectionId,
  instanceId: status.instanceId,
  agentVersion: toPlainName(status.agentVersion),
  at,
  ipAddress: null,
});

const toDisconnect = ({ deviceId, status, at }: StatusReport) => ({
  deviceId,
  connectionId: status.connectionId,
  reason: status.reason ?? 'connection-lost',
  at,
});

export function changesOf(changed: readonly ConnectivityChange[]): Change[] {
  if (changed.length === 0) return [];
  const deviceIds = changed.map(({ deviceId }) => deviceId);
  return [
    { kind: 'device-status', deviceIds },
    { kind: 'audit-trail', deviceIds },
  ];
}

const isConnected = (connectivity: string): boolean =>
  connectivity === 'online' || connectivity === 'degraded';

/** The audit events of a change of connectivity. */
export function auditOf(change: ConnectivityChange): AuditDraft[] {
  const { deviceId, name, before, after, failing, reason } = change;
  const base = { actor: { kind: 'device', id: deviceId, name, address: null }, deviceId } as const;
  if (isConnected(after) && !isConnected(before))
    return [{ ...base, type: 'device.connected', data: { connectivity: after } }];
  if (after === 'offline') return [{ ...base, type: 'device.disconnected', data: { reason } }];
  if (after === 'degraded') return [{ ...base, type: 'device.degraded', data: { failing } }];
  if (before === 'degraded' && after === 'online') return [{ ...base, type: 'device.recovered' }];
  return [];
}
