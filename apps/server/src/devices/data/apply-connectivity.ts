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

/** A device opened a connection (`up/status` online). */
export interface ConnectRow {
  readonly deviceId: string;
  readonly connectionId: string;
  readonly instanceId: string;
  readonly agentVersion: string;
  readonly at: Date;
  readonly ipAddress: string | null;
}

/** A connection ended. A `connectionId` keeps the late will of an old connection from ending a new one. */
export interface DisconnectRow {
  readonly deviceId: string;
  /** Null ends whatever connection there is. */
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
  readonly uptimeSeconds: number;
}

/** A device whose connectivity changed. */
export interface ConnectivityChange {
  readonly deviceId: string;
  readonly name: string;
  readonly before: Connectivity;
  readonly after: Connectivity;
  readonly failing: readonly FailingPart[];
  readonly reason: string | null;
}

/** Added to what fails when the portal misses heartbeats; the device itself never reports it. */
const SILENT_PART = 'heartbeat';

const { connectivity, connectivitySince, deviceId, failing, heartbeatAt, lastSeenAt } =
  deviceStatus;
const CONNECTED: Connectivity[] = ['online', 'degraded'];
const isConnected = inArray(connectivity, CONNECTED);

/** What was reported of each device. */
const given = alias(deviceStatus, 'given');

/** Before one transaction changes devices in more than one statement: each of them locks its own devices in order only. */
export async function lockConnectivity(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    select from ${deviceStatus} where ${deviceId} = any(${arrayOf('uuid', deviceIds)}) order by ${deviceId} for update`);
}

/** Many devices connect, in one statement. Of two rows of one device the later one counts. */
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
      connectivity: healthOf(heardAgain),
      connectivitySince: sql`case when ${isConnected} then ${connectivitySince} else ${given.lastSeenAt} end`,
      failing: heardAgain,
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

/** Many connections end, in one statement. */
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
      or(isNull(given.connectionId), eq(deviceStatus.connectionId, given.connectionId)),
    ),
  });
}

/**
 * Heartbeats of many devices, in one statement; heap-only updates while nothing but the figures changes.
 * Answers only the devices that became degraded or recovered.
 */
export function applyHeartbeats(
  tx: Transaction,
  rows: readonly HeartbeatRow[],
): Promise<ConnectivityChange[]> {
  const reported = rowsFor(
    given,
    [
      ...(['deviceId', 'heartbeatAt', 'failing'] as const),
      ...(['diskUsedPercent', 'memoryUsedPercent', 'uptimeSeconds'] as const),
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
    },
    where: or(isNull(heartbeatAt), lte(heartbeatAt, given.heartbeatAt)),
  });
}

/** Connections that have been silent since a moment: degraded, and what is lost is named. */
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

/** After a restart of the server: every device that was connected is unknown until it is heard again. */
export async function markUnknown(tx: Transaction, at: Date): Promise<ConnectivityChange[]> {
  return changeAll(tx, isConnected, {
    connectivity: 'unknown',
    connectivitySince: at,
    seenRank: sql`coalesce(${lastSeenAt}, ${at.toISOString()}::timestamptz)`,
  });
}

/** Devices whose connection is unknown and that are heard again: they are online. @returns those that are */
export async function reviveUnknown(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<string[]> {
  if (deviceIds.length === 0) return [];
  const revived = await tx
    .update(deviceStatus)
    .set({ connectivity: 'online', connectivitySince: portalNow, seenRank: 'infinity' })
    .where(
      and(
        sql`${deviceId} = any(${arrayOf('uuid', deviceIds)})`,
        eq(connectivity, 'unknown'),
        eq(deviceStatus.lifecycle, 'active'),
      ),
    )
    .returning({ deviceId });
  return revived.map((row) => row.deviceId);
}

/** What still fails once a device is heard again: everything but the portal's own "no heartbeat". */
const heardAgain = sql<
  FailingPart[]
>`jsonb_path_query_array(${failing}, '$[*] ? (@.part <> "heartbeat")')`;

const healthOf = (parts: SQL | typeof given.failing): SQL<Connectivity> =>
  sql<Connectivity>`case when jsonb_array_length(${parts}) = 0 then 'online' else 'degraded' end`;

const latestOf = <Row extends { readonly deviceId: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.deviceId, row])).values(),
];

type Change = PgUpdateSetSource<typeof deviceStatus>;

/** Locks in the order of ids, so that two batches over the same devices wait for each other and never deadlock. */
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

/** The same for every device that meets a condition. */
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
