import { randomUUID } from 'node:crypto';
import { recordAudit } from '../audit-trail/record-audit.ts';
import {
  applyConnects,
  applyDisconnects,
  applyHeartbeats,
  lockConnectivity,
  type ConnectivityChange,
} from '../devices/data/apply-connectivity.ts';
import { findStandings, updateManagedFacts } from '../devices/data/managed-instance-facts.ts';
import { adoptManagedInstance } from '../devices/enrollment/adopt-managed-instance.ts';
import { sanitizeReportedText } from '../devices/list/sanitize-reported-text.ts';
import { retireUnlisted } from '../devices/retire-unlisted.ts';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import { auditOf, changesOf } from '../gateway/ingest-status.ts';
import { notifyDevicesBack } from '../notifications/notify-devices-back.ts';
import type { ListedInstance, RunCommand } from '../platform/aws/run-command.ts';
import type { Change, ChangeFeed } from '../platform/change-feed.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import {
  findUnlisted,
  findVanished,
  lockManaged,
  storeListed,
} from './data/managed-instance-queries.ts';
import { countryOf, labelsOf } from './instance-labels.ts';

export interface SyncDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly logger: GatewayLogger;
  readonly api: Pick<RunCommand, 'listInstances' | 'tagsOf'>;
  /** Only instances with all of these tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** Called with devices that have become reachable. */
  readonly onConnected: (deviceIds: readonly string[]) => void;
}

/** After which a device is retired whose instance is no longer listed. */
const RETIRE_AFTER_MS = 30 * 86_400_000;
const HYBRID = 'mi-';
/** As the agent of Systems Manager reports them. */
const WORDS = [
  ...(['name', 'hostName', 'platformType', 'platformName'] as const),
  ...(['platformVersion', 'agentVersion'] as const),
] as const;

/**
 * Makes the devices agree with the managed instances of Systems Manager: new ones appear, PingStatus is their
 * connectivity, and those that are no longer listed are offline, and retired after 30 days.
 */
export async function syncInstances(deps: SyncDeps): Promise<void> {
  const begun = deps.clock();
  let cursor: string | undefined;
  do {
    const page = await deps.api.listInstances(deps.tags, cursor);
    await syncPage(
      deps,
      page.instances.map((found) => sanitizeReportedText(found, WORDS)),
    );
    cursor = page.next;
  } while (cursor !== undefined);
  await endVanished(deps, begun);
}

interface Outcome {
  readonly changes: readonly Change[];
  readonly connected: readonly string[];
}

async function syncPage(deps: SyncDeps, listed: readonly ListedInstance[]): Promise<void> {
  if (listed.length === 0) return;
  const tags = await tagsOfNew(deps, listed);
  const { changes, connected } = await inTransaction(deps.database, async (tx) => {
    // Several servers list the same instances.
    await holdUntilCommit(tx, 'managed-instances');
    const now = deps.clock();
    const { devices, adopted } = await adopt(tx, deps, { listed, tags, now });
    return applyPage(tx, { listed, devices, adopted, now });
  });
  deps.changes.publish(changes);
  deps.onConnected(connected);
}

/** Tags of new hybrid nodes: each is a call of its own. */
async function tagsOfNew(
  { database, api }: SyncDeps,
  listed: readonly ListedInstance[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const hybrid = listed.filter(({ id }) => id.startsWith(HYBRID)).map(({ id }) => id);
  const known = await inTransaction(database, (tx) => lockManaged(tx, hybrid));
  const found = new Map<string, Readonly<Record<string, string>>>();
  for (const id of hybrid.filter((one) => !known.has(one))) found.set(id, await api.tagsOf(id));
  return found;
}

interface Page {
  readonly listed: readonly ListedInstance[];
  readonly tags: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly now: Date;
}

async function adopt(
  tx: Transaction,
  { tags: filter }: SyncDeps,
  { listed, tags, now }: Page,
): Promise<{ readonly devices: ReadonlyMap<string, string>; readonly adopted: readonly string[] }> {
  const devices = new Map(
    await lockManaged(
      tx,
      listed.map(({ id }) => id),
    ),
  );
  const adopted: string[] = [];
  for (const found of listed) {
    if (devices.has(found.id)) continue;
    const own = { ...filter, ...tags.get(found.id) };
    const { id: instanceId, platformType, platformName, platformVersion, agentVersion } = found;
    const deviceId = await adoptManagedInstance(
      tx,
      {
        ...{ instanceId, platformType, platformName, platformVersion, agentVersion },
        ...{ hostName: found.hostName, ipAddress: found.ipAddress },
        name: found.name || found.hostName,
        country: countryOf(own),
        labels: labelsOf(own),
      },
      now,
    );
    devices.set(found.id, deviceId);
    adopted.push(deviceId);
  }
  await storeListed(
    tx,
    listed.map(({ id: instanceId, resourceType }) => ({
      deviceId: devices.get(instanceId) ?? '',
      ...{ instanceId, resourceType, listedAt: now },
    })),
  );
  return { devices, adopted };
}

async function applyPage(
  tx: Transaction,
  {
    listed,
    devices,
    adopted,
    now,
  }: Pick<Page, 'listed' | 'now'> & {
    readonly devices: ReadonlyMap<string, string>;
    readonly adopted: readonly string[];
  },
): Promise<Outcome> {
  const standings = await findStandings(tx, [...devices.values()]);
  const served = listed.flatMap((found) => {
    const standing = standings.get(devices.get(found.id) ?? '');
    return standing?.lifecycle === 'active' || standing?.lifecycle === 'suspended'
      ? [{ found, ...standing }]
      : [];
  });
  await updateManagedFacts(
    tx,
    served.map(({ found }) => ({ ...found, lastPingAt: found.lastPingAt ?? null })),
  );
  await lockConnectivity(
    tx,
    served.map(({ deviceId }) => deviceId),
  );
  const reachable = served.filter(
    ({ found, lifecycle }) => found.isOnline && lifecycle === 'active',
  );
  const others = served.filter((one) => !reachable.includes(one));
  const isConnected = (connectivity: string): boolean =>
    connectivity === 'online' || connectivity === 'degraded';
  const changed: ConnectivityChange[] = [
    ...(await applyConnects(
      tx,
      reachable
        .filter(({ connectivity }) => !isConnected(connectivity))
        .map(({ deviceId, found }) => ({
          deviceId,
          connectionId: randomUUID(),
          instanceId: found.id,
          agentVersion: found.agentVersion,
          at: now,
          ipAddress: found.ipAddress,
        })),
    )),
    ...(await applyDisconnects(
      tx,
      others.map(({ deviceId, found, lifecycle }) => ({
        deviceId,
        connectionId: null,
        reason: lifecycle === 'suspended' ? 'suspended' : 'connection-lost',
        at: found.lastPingAt ?? now,
      })),
    )),
    ...(await applyHeartbeats(
      tx,
      reachable.map(({ deviceId }) => ({ deviceId, at: now, ...noHealth })),
    )),
  ];
  await recordAudit(tx, changed.flatMap(auditOf));
  const connected = changed.filter(
    ({ before, after }) => isConnected(after) && !isConnected(before),
  );
  const connectedIds = connected.map(({ deviceId }) => deviceId);
  return {
    connected: connectedIds,
    changes: [
      ...changesOf(changed),
      ...(adopted.length > 0 ? [{ kind: 'device-changed' as const, deviceIds: adopted }] : []),
      ...(await notifyDevicesBack(tx, connectedIds)),
    ],
  };
}

/** Systems Manager reports no health. */
const noHealth = {
  failing: [],
  diskUsedPercent: null,
  memoryUsedPercent: null,
  uptimeSeconds: null,
  heartbeatSeconds: null,
};

async function endVanished(deps: SyncDeps, begun: Date): Promise<void> {
  const { database, changes } = deps;
  const changed = await inTransaction(database, async (tx) => {
    const vanished = await findVanished(tx, begun);
    const ended = await applyDisconnects(
      tx,
      vanished.map((deviceId) => ({
        ...{ deviceId, connectionId: null, reason: 'not-managed', at: deps.clock() },
      })),
    );
    await recordAudit(tx, ended.flatMap(auditOf));
    return ended;
  });
  changes.publish(changesOf(changed));
  const before = new Date(begun.getTime() - RETIRE_AFTER_MS);
  for (const deviceId of await findUnlisted(database.orm, before))
    changes.publish(await inTransaction(database, (tx) => retireUnlisted(tx, deviceId)));
}
