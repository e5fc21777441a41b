import { HEARTBEAT_INTERVAL_MS } from '@deviceportal/contract/constants';
import { recordAudit } from '../audit-trail/record-audit.ts';
import {
  markGone,
  markSilent,
  type ConnectivityChange,
} from '../devices/data/apply-connectivity.ts';
import { findBlockedConnections } from '../devices/data/connections/connected-devices.ts';
import {
  deleteContactsBefore,
  findSilentDevices,
} from '../devices/data/connections/device-contacts.ts';
import { tryHoldUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { auditOf, changesOf } from './ingest-status.ts';

/** Two missed heartbeats and a margin for the network (docs/design/decisions.md, section 4). */
const MISSED_HEARTBEATS = 2;
const MARGIN_MS = 10_000;
const SILENT_AFTER_MS = MISSED_HEARTBEATS * HEARTBEAT_INTERVAL_MS + MARGIN_MS;
/** Contacts are written only for heartbeats that are more frequent than the default. */
const CONTACTS_KEPT_MS = SILENT_AFTER_MS;
/** Longer than the silence of any heartbeat interval. */
const LONGEST_SILENCE_MS = 24 * 3_600_000;
const GONE_AT_ONCE = 5_000;

/** After a longer pause, messages may have been lost here. */
const LONGEST_PAUSE_MS = 20_000;

type SweepDependencies = Pick<GatewayDependencies, 'database' | 'changes' | 'clock' | 'transport'>;

/**
 * Finds connections without recent messages, and disconnects blocked devices that are still connected. The embedded
 * broker knows when a connection ends, so its silent devices are degraded. With an external broker, the end can be
 * missed (the will of a device is lost with its broker), so that they are offline.
 */
export class PresenceSweep {
  readonly #deps: SweepDependencies;
  #workingSinceMs = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SweepDependencies) {
    this.#deps = deps;
  }

  async round(): Promise<void> {
    const nowMs = performance.now();
    // While the database was away or this process stood still, no heartbeats were stored.
    if (nowMs - this.#lastMs > LONGEST_PAUSE_MS) this.#workingSinceMs = nowMs;
    const listeningMs = Math.min(this.#deps.transport.listeningMs(), nowMs - this.#workingSinceMs);
    await sweepPresence(this.#deps, listeningMs);
    this.#lastMs = nowMs;
  }
}

/** @param listeningMs for how long everything that devices sent has been stored; longer silence means nothing */
export async function sweepPresence(deps: SweepDependencies, listeningMs: number): Promise<void> {
  const now = deps.clock();
  if (deps.transport.ownsConnections) {
    const silentSince = new Date(now.getTime() - SILENT_AFTER_MS);
    await changeConnectivity(deps, (tx) => markSilent(tx, { silentSince, at: now }));
  } else await markAllGone(deps, listeningMs);
  const blocked = await findBlockedConnections(deps.database.orm);
  if (blocked.length > 0) deps.transport.disconnect(blocked);
}

/** One statement per transaction, so that each locks only its own devices, in order. */
async function changeConnectivity(
  { database, changes }: SweepDependencies,
  change: (tx: Transaction) => Promise<ConnectivityChange[]>,
): Promise<number> {
  const changed = await inTransaction(database, async (tx) => {
    const found = await change(tx);
    await recordAudit(tx, found.flatMap(auditOf));
    return found;
  });
  changes.publish(changesOf(changed));
  return changed.length;
}

async function markAllGone(deps: SweepDependencies, listeningMs: number): Promise<void> {
  const listeningSeconds = Math.floor(Math.min(listeningMs, LONGEST_SILENCE_MS) / 1_000);
  let marked = GONE_AT_ONCE;
  while (marked === GONE_AT_ONCE) {
    marked = await changeConnectivity(deps, (tx) =>
      markSomeGone(tx, deps.clock(), listeningSeconds),
    );
  }
}

/** Of several servers, one at a time. */
async function markSomeGone(
  tx: Transaction,
  now: Date,
  listeningSeconds: number,
): Promise<ConnectivityChange[]> {
  if (!(await tryHoldUntilCommit(tx, 'presence'))) return [];
  await deleteContactsBefore(tx, new Date(now.getTime() - CONTACTS_KEPT_MS));
  const deviceIds = await findSilentDevices(tx, {
    ...{ now, listeningSeconds },
    heartbeats: MISSED_HEARTBEATS,
    marginSeconds: MARGIN_MS / 1_000,
    defaultSeconds: HEARTBEAT_INTERVAL_MS / 1_000,
    limit: GONE_AT_ONCE,
  });
  if (deviceIds.length === 0) return [];
  // A device that was heard from in between has a later time.
  const heardBefore = new Date(now.getTime() - MARGIN_MS);
  return markGone(tx, { deviceIds, heardBefore, at: now });
}
