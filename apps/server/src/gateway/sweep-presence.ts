import { HEARTBEAT_INTERVAL_MS } from '@deviceportal/contract/constants';
import { recordAudit } from '../audit-trail/record-audit.ts';
import {
  applyDisconnects,
  markSilent,
  type ConnectivityChange,
  type DisconnectRow,
} from '../devices/data/apply-connectivity.ts';
import {
  findBlockedConnections,
  findGoneDevices,
} from '../devices/data/connections/connected-devices.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { auditOf, changesOf } from './ingest-status.ts';

/** Two missed heartbeats and a margin for the network (docs/design/decisions.md, section 4). */
const SILENT_AFTER_MS = 2 * HEARTBEAT_INTERVAL_MS + 10_000;
/** With an external broker, the end of a connection can be missed. */
const GONE_AFTER_MS = 10 * HEARTBEAT_INTERVAL_MS;

type SweepDependencies = Pick<GatewayDependencies, 'database' | 'changes' | 'clock' | 'transport'>;

/**
 * Marks open connections without recent messages as degraded, and disconnects blocked devices that are still
 * connected.
 */
export async function sweepPresence(deps: SweepDependencies): Promise<void> {
  const now = deps.clock();
  const silentSince = new Date(now.getTime() - SILENT_AFTER_MS);
  await changeConnectivity(deps, (tx) => markSilent(tx, { silentSince, at: now }));
  if (!deps.transport.ownsConnections)
    await changeConnectivity(deps, async (tx) => applyDisconnects(tx, await findGone(tx, now)));
  const blocked = await findBlockedConnections(deps.database.orm);
  if (blocked.length > 0) deps.transport.disconnect(blocked);
}

/** One statement per transaction, so that each locks only its own devices, in order. */
async function changeConnectivity(
  { database, changes }: SweepDependencies,
  change: (tx: Transaction) => Promise<ConnectivityChange[]>,
): Promise<void> {
  const changed = await inTransaction(database, async (tx) => {
    const found = await change(tx);
    await recordAudit(tx, found.flatMap(auditOf));
    return found;
  });
  changes.publish(changesOf(changed));
}

async function findGone(tx: Transaction, now: Date): Promise<DisconnectRow[]> {
  const gone = await findGoneDevices(tx, new Date(now.getTime() - GONE_AFTER_MS));
  return gone.map((deviceId) => ({ deviceId, connectionId: null, reason: 'silent', at: now }));
}
