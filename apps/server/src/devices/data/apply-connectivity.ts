import {
  and,
  asc,
  eq,
  inArray,
  isNull,
  lt,
  lte,
  or,
  sql,
  WithSubquery,
  type SQL,
  type Subquery,
} from 'drizzle-orm';
import { alias, type PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Connectivity } from '@deviceportal/contract/states';
import type { FailingPart } from '@deviceportal/contract/devices';
import { portalNow } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';
import { deviceStatus } from './devices-tables.ts';

/** A device has connected (`up/status` online). */
export interface ConnectRow {
  readonly deviceId: string;
  readonly connectionId: string;
  readonly instanceId: string;
  readonly agentVersion: string;
  readonly at: Date;
  readonly ipAddress: string | null;
}

/** A connection has ended. With a `connectionId`, the late will of an old connection does not end a new one. */
export interface DisconnectRow {
  readonly deviceId: string;
  /** Null ends any connection of a device that was not heard from since. */
  readonly connectionId: string | null;
  readonly reason: string;
  readonly at: Date;
}

export interface HeartbeatRow {
  readonly deviceId: string;
  readonly at: Date;
  readonly failing: readonly FailingPart[];
  readonly diskUsedPercent: number | null;
  readonly memoryUsedPercent: number | null;
  readonly uptimeSeconds: number | null;
  /** Null for agents that send a heartbeat every 60 s. */
  readonly heartbeatSeconds: number | null;
}

/** A device whose connectivity has changed. */
export interface ConnectivityChange {
  readonly deviceId: string;
  readonly name: string;
  readonly before: Connectivity;
  readonly after: Connectivity;
  readonly failing: readonly FailingPart[];
  readonly reason: string | null;
}

/** Added to the failing checks if heartbeats are missing; devices never report it. */
const SILENT_PART = 'heartbeat';
/** Reason of the end of a connection that nobody reported. */
const SILENT = 'silent';

const { connectivity, connectivitySince, deviceId, failing, heartbeatAt, lastSeenAt } =
  deviceStatus;
const CONNECTED: Connectivity[] = ['online', 'degraded'];
const isConnected = inArray(connectivity, CONNECTED);

/** Reported values per device. */
const given = alias(deviceStatus, 'given');

/**
 * Call before changing devices with several statements in a transaction, because each statement locks only its own
 * devices in order.
 */
export async function lockConnectivity(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    select from ${deviceStatus} where ${deviceId} = any(${arrayOf('uuid', deviceIds)}) order by ${deviceId} for update`);
}

/** Connects many devices in one statement. Of several rows for a device, the last one counts. */
export function applyConnects(
  tx: Transaction,
  rows: readonly ConnectRow[],
): Promise<ConnectivityChange[]> {
  const reported = rowsFor(
    given,
    ['deviceId', 'connectionId', 'instanceId', 'agentVersion', 'lastSeenAt', 'ipAddress'],
    latestOf(rows).map(({ at, ...row }) => ({ ...row, lastSeenAt: at })),
  );
  return changeStatus(tx, rows.length === 0 ? null : reported, {
    set: {
      connectivity: healthOf(remainingFailures),
      connectivitySince: sql`case when ${isConnected} then ${connectivitySince} else ${given.lastSeenAt} end`,
      failing: remainingFailures,
      seenRank: 'infinity',
      lastSeenAt: sql`${given.lastSeenAt}`,
      disconnectReason: null,
      connectionId: sql`${given.connectionId}`,
      instanceId: sql`${given.instanceId}`,
      agentVersion: sql`${given.agentVersion}`,
      ipAddress: sql`coalesce(${given.ipAddress}, ${deviceStatus.ipAddress})`,
    },
  });
}

/** Ends many connections in one statement. */
export function applyDisconnects(
  tx: Transaction,
  rows: readonly DisconnectRow[],
): Promise<ConnectivityChange[]> {
  const reported = rowsFor(
    given,
    ['deviceId', 'connectionId', 'disconnectReason', 'lastSeenAt'],
    latestOf(rows).map(({ at, reason, ...row }) => ({
      ...row,
      disconnectReason: reason,
      lastSeenAt: at,
    })),
  );
  return changeStatus(tx, rows.length === 0 ? null : reported, {
    set: {
      connectivity: 'offline',
      connectivitySince: sql`${given.lastSeenAt}`,
      seenRank: sql`${given.lastSeenAt}`,
      lastSeenAt: sql`${given.lastSeenAt}`,
      disconnectReason: sql`${given.disconnectReason}`,
      connectionId: null,
    },
    where: and(
      inArray(connectivity, [...CONNECTED, 'unknown']),
      or(
        and(isNull(given.connectionId), lte(lastSeenAt, given.lastSeenAt)),
        eq(deviceStatus.connectionId, given.connectionId),
      ),
    ),
  });
}

/**
 * Applies heartbeats of many devices in one statement, with heap-only updates if only the figures change. Returns only
 * the devices that became degraded or recovered.
 */
export function applyHeartbeats(
  tx: Transaction,
  rows: readonly HeartbeatRow[],
): Promise<ConnectivityChange[]> {
  const reported = rowsFor(
    given,
    [
      ...(['deviceId', 'heartbeatAt', 'failing'] as const),
      ...(['diskUsedPercent', 'memoryUsedPercent', 'uptimeSeconds', 'heartbeatSeconds'] as const),
    ],
    latestOf(rows).map(({ at, failing: parts, ...row }) => ({
      ...row,
      failing: [...parts],
      heartbeatAt: at,
    })),
  );
  const after = sql<Connectivity>`case when ${isConnected} then ${healthOf(given.failing)} else ${connectivity} end`;
  return changeStatus(tx, rows.length === 0 ? null : reported, {
    set: {
      connectivity: after,
      connectivitySince: sql`case when ${after} = ${connectivity} then ${connectivitySince} else ${given.heartbeatAt} end`,
      failing: sql`${given.failing}`,
      lastSeenAt: sql`${given.heartbeatAt}`,
      heartbeatAt: sql`${given.heartbeatAt}`,
      diskUsedPercent: sql`${given.diskUsedPercent}`,
      memoryUsedPercent: sql`${given.memoryUsedPercent}`,
      uptimeSeconds: sql`${given.uptimeSeconds}`,
      heartbeatSeconds: sql`${given.heartbeatSeconds}`,
    },
    where: or(isNull(heartbeatAt), lte(heartbeatAt, given.heartbeatAt)),
  });
}

/** Marks connections without a heartbeat since a moment as degraded, with the failing check. */
export async function markSilent(
  tx: Transaction,
  moment: { readonly silentSince: Date; readonly at: Date },
): Promise<ConnectivityChange[]> {
  const { silentSince, at } = moment;
  const fact = `no heartbeat since ${silentSince.toISOString()}`;
  const isSilent = and(
    eq(connectivity, 'online'),
    sql`coalesce(${heartbeatAt}, '-infinity') < ${silentSince.toISOString()}::timestamptz`,
    lt(connectivitySince, silentSince),
  );
  return changeAll(tx, isSilent, {
    connectivity: 'degraded',
    connectivitySince: at,
    failing: [{ part: SILENT_PART, fact }],
  });
}

/** After a restart of the server: sets all connected devices to unknown until they are heard from again. */
export async function markUnknown(tx: Transaction, at: Date): Promise<ConnectivityChange[]> {
  return changeAll(tx, isConnected, {
    connectivity: 'unknown',
    connectivitySince: at,
    seenRank: sql`coalesce(${lastSeenAt}, ${at.toISOString()}::timestamptz)`,
  });
}

/** Marks connected devices as offline that have not been heard from. Their connection may return. */
export async function markGone(
  tx: Transaction,
  { deviceIds, heardBefore, at }: { deviceIds: readonly string[]; heardBefore: Date; at: Date },
): Promise<ConnectivityChange[]> {
  const isGone = and(
    sql`${deviceId} = any(${arrayOf('uuid', deviceIds)})`,
    isConnected,
    lt(lastSeenAt, heardBefore),
  );
  return changeAll(tx, isGone, {
    connectivity: 'offline',
    connectivitySince: at,
    seenRank: sql`${lastSeenAt}`,
    disconnectReason: SILENT,
  });
}

/**
 * Sets devices to online that are heard from again: those with unknown connection, and those that were marked as gone.
 */
export async function reviveHeard(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<ConnectivityChange[]> {
  if (deviceIds.length === 0) return [];
  const isAway = or(
    eq(connectivity, 'unknown'),
    and(eq(connectivity, 'offline'), eq(deviceStatus.disconnectReason, SILENT)),
  );
  const isHeard = sql`${deviceId} = any(${arrayOf('uuid', deviceIds)})`;
  return changeAll(tx, and(isHeard, isAway, eq(deviceStatus.lifecycle, 'active')), {
    connectivity: 'online',
    connectivitySince: portalNow,
    seenRank: 'infinity',
    disconnectReason: null,
  });
}

/** The difference of clocks between the servers that receive messages and those that report connections. */
const CLOCKS = sql`interval '2 seconds'`;

/**
 * Sets devices to online from which a message was received after they went offline, whatever the reason was. Only for
 * messages whose time of receipt is comparable to that of the end of a connection.
 */
export function reviveProven(
  tx: Transaction,
  rows: readonly { readonly deviceId: string; readonly at: Date }[],
): Promise<ConnectivityChange[]> {
  const reported = rowsFor(
    given,
    ['deviceId', 'lastSeenAt'],
    latestOf(rows).map(({ deviceId: id, at }) => ({ deviceId: id, lastSeenAt: at })),
  );
  return changeStatus(tx, rows.length === 0 ? null : reported, {
    set: {
      connectivity: healthOf(remainingFailures),
      connectivitySince: sql`${given.lastSeenAt}`,
      failing: remainingFailures,
      seenRank: 'infinity',
      lastSeenAt: sql`${given.lastSeenAt}`,
      disconnectReason: null,
    },
    where: and(
      inArray(connectivity, ['offline', 'unknown']),
      lt(connectivitySince, sql`${given.lastSeenAt} - ${CLOCKS}`),
      eq(deviceStatus.lifecycle, 'active'),
    ),
  });
}

/** Remaining failing checks after a device is heard from again: all except the portal's own "no heartbeat". */
const remainingFailures = sql<
  FailingPart[]
>`jsonb_path_query_array(${failing}, '$[*] ? (@.part <> "heartbeat")')`;

const healthOf = (parts: SQL | typeof given.failing): SQL<Connectivity> =>
  sql<Connectivity>`case when jsonb_array_length(${parts}) = 0 then 'online' else 'degraded' end`;

const latestOf = <Row extends { readonly deviceId: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.deviceId, row])).values(),
];

type Change = PgUpdateSetSource<typeof deviceStatus>;

/** Locks in the order of IDs, so that concurrent batches with the same devices cannot deadlock. */
async function changeStatus(
  tx: Transaction,
  reported: Subquery | null,
  { set, where }: { readonly set: Change; readonly where?: SQL | undefined },
): Promise<ConnectivityChange[]> {
  if (reported === null) return [];
  const rows = new WithSubquery(sql`select * from ${reported}`, {}, 'given', true);
  const held = tx.$with('held').as(
    tx
      .select({ deviceId, before: sql<Connectivity>`${connectivity}`.as('before') })
      .from(deviceStatus)
      .innerJoin(sql`${given}`, eq(given.deviceId, deviceId))
      .where(where)
      .orderBy(asc(deviceId))
      .for('update', { of: deviceStatus }),
  );
  const changed = await tx
    .with(rows, held)
    .update(deviceStatus)
    .set(set)
    .from(held)
    .innerJoin(sql`${given}`, eq(given.deviceId, held.deviceId))
    .where(eq(deviceId, held.deviceId))
    .returning({ ...returned, before: held.before });
  return changed.filter(({ before, after }) => before !== after);
}

/** Like `changeStatus`, for all devices that meet a condition. */
async function changeAll(
  tx: Transaction,
  where: SQL | undefined,
  set: Change,
): Promise<ConnectivityChange[]> {
  const held = tx.$with('held').as(
    tx
      .select({ deviceId, before: sql<Connectivity>`${connectivity}`.as('before') })
      .from(deviceStatus)
      .where(where)
      .orderBy(asc(deviceId))
      .for('update'),
  );
  return tx
    .with(held)
    .update(deviceStatus)
    .set(set)
    .from(held)
    .where(eq(deviceId, held.deviceId))
    .returning({ ...returned, before: held.before });
}

const returned = {
  deviceId,
  name: deviceStatus.name,
  after: connectivity,
  failing,
  reason: deviceStatus.disconnectReason,
};
