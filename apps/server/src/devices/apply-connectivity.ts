import { sql, type SQL } from 'drizzle-orm';
import type { Connectivity } from '@deviceportal/contract/states';
import type { FailingPart } from '@deviceportal/contract/devices';
import type { Transaction } from '../platform/database/database.ts';
import { arrayOf } from '../platform/database/rows-of.ts';

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

/** A device whose connectivity is now another than before. */
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

/** Before one transaction changes devices in more than one statement: each of them locks its own devices in order only. */
export async function lockConnectivity(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    select from device_status where device_id = any(${arrayOf('uuid', deviceIds)}) order by device_id for update`);
}

/** Many devices connect, in one statement. Of two rows of one device the later one counts. */
export function applyConnects(
  tx: Transaction,
  rows: readonly ConnectRow[],
): Promise<ConnectivityChange[]> {
  return changeStatus(tx, rows, {
    columns: sql`device_id uuid, connection_id uuid, instance_id text, agent_version text, at timestamptz, ip_address text`,
    set: sql`
      connectivity = case when jsonb_array_length(${heardAgain}) = 0 then 'online' else 'degraded' end,
      connectivity_since = case when s.connectivity in ('online', 'degraded') then s.connectivity_since else i.at end,
      failing = ${heardAgain}, seen_rank = 'infinity', last_seen_at = i.at, disconnect_reason = null,
      connection_id = i.connection_id, instance_id = i.instance_id, agent_version = i.agent_version,
      ip_address = coalesce(i.ip_address, s.ip_address)`,
    where: sql`true`,
  });
}

/** Many connections end, in one statement. */
export function applyDisconnects(
  tx: Transaction,
  rows: readonly DisconnectRow[],
): Promise<ConnectivityChange[]> {
  return changeStatus(tx, rows, {
    columns: sql`device_id uuid, connection_id uuid, reason text, at timestamptz`,
    set: sql`connectivity = 'offline', connectivity_since = i.at, seen_rank = i.at, last_seen_at = i.at,
      disconnect_reason = i.reason, connection_id = null`,
    where: sql`s.connectivity in ('online', 'degraded', 'unknown')
      and (i.connection_id is null or s.connection_id = i.connection_id)`,
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
  const after = sql`case when s.connectivity in ('online', 'degraded')
    then case when jsonb_array_length(i.failing) = 0 then 'online' else 'degraded' end
    else s.connectivity end`;
  return changeStatus(tx, rows, {
    columns: sql`device_id uuid, at timestamptz, failing jsonb, disk_used_percent float8, memory_used_percent float8,
      uptime_seconds float8`,
    set: sql`connectivity = ${after},
      connectivity_since = case when ${after} = s.connectivity then s.connectivity_since else i.at end,
      failing = i.failing, last_seen_at = i.at, heartbeat_at = i.at, disk_used_percent = i.disk_used_percent,
      memory_used_percent = i.memory_used_percent, uptime_seconds = i.uptime_seconds`,
    where: sql`s.heartbeat_at is null or s.heartbeat_at <= i.at`,
  });
}

/** Connections that have been silent since a moment: degraded, and what is lost is named. */
export async function markSilent(
  tx: Transaction,
  moment: { readonly silentSince: Date; readonly at: Date },
): Promise<ConnectivityChange[]> {
  const silentSince = moment.silentSince.toISOString();
  const fact = JSON.stringify([{ part: SILENT_PART, fact: `no heartbeat since ${silentSince}` }]);
  const rows = await tx.execute<ChangeRow & Record<string, unknown>>(sql`
    with quiet as (
      select device_id, connectivity from device_status
      where connectivity = 'online' and coalesce(heartbeat_at, '-infinity') < ${silentSince}::timestamptz
        and connectivity_since < ${silentSince}::timestamptz
      order by device_id for update)
    update device_status s
    set connectivity = 'degraded', connectivity_since = ${moment.at.toISOString()}::timestamptz, failing = ${fact}::jsonb
    from quiet where s.device_id = quiet.device_id
    returning s.device_id, s.name, quiet.connectivity as before, s.connectivity as after, s.failing, s.disconnect_reason`);
  return rows.rows.map(toChange);
}

/** After our own restart: whoever was connected is unknown until it is heard again. */
export async function markUnknown(tx: Transaction, at: Date): Promise<ConnectivityChange[]> {
  const rows = await tx.execute<ChangeRow & Record<string, unknown>>(sql`
    with open as (
      select device_id, connectivity from device_status where connectivity in ('online', 'degraded')
      order by device_id for update)
    update device_status s
    set connectivity = 'unknown', connectivity_since = ${at.toISOString()}::timestamptz,
        seen_rank = coalesce(s.last_seen_at, ${at.toISOString()}::timestamptz)
    from open where s.device_id = open.device_id
    returning s.device_id, s.name, open.connectivity as before, s.connectivity as after, s.failing, s.disconnect_reason`);
  return rows.rows.map(toChange);
}

/** What still fails once a device is heard again: everything but our own "no heartbeat". */
const heardAgain = sql`jsonb_path_query_array(s.failing, '$[*] ? (@.part <> "heartbeat")')`;

interface StatusStatement {
  /** Columns of the rows, in snake case, beside their keys in camel case. */
  readonly columns: SQL;
  readonly set: SQL;
  readonly where: SQL;
}

interface ChangeRow {
  readonly device_id: string;
  readonly name: string;
  readonly before: Connectivity;
  readonly after: Connectivity;
  readonly failing: FailingPart[];
  readonly disconnect_reason: string | null;
}

/** Locks in the order of ids, so that two batches over the same devices wait for each other and never deadlock. */
async function changeStatus(
  tx: Transaction,
  rows: readonly object[],
  statement: StatusStatement,
): Promise<ConnectivityChange[]> {
  if (rows.length === 0) return [];
  const input = JSON.stringify(rows.map((row, position) => ({ ...inSnakeCase(row), position })));
  const answer = await tx.execute<ChangeRow & Record<string, unknown>>(sql`
    with i as materialized (
      select distinct on (device_id) *
      from jsonb_to_recordset(${input}::jsonb) as input(position int, ${statement.columns})
      order by device_id, position desc),
    held as materialized (
      select s.device_id, s.connectivity from i join device_status s on s.device_id = i.device_id
      where ${statement.where}
      order by s.device_id for update of s)
    update device_status s set ${statement.set}
    from i, held where i.device_id = held.device_id and s.device_id = held.device_id
    returning s.device_id, s.name, held.connectivity as before, s.connectivity as after, s.failing, s.disconnect_reason`);
  return answer.rows.filter((row) => row.before !== row.after).map(toChange);
}

function toChange(row: ChangeRow): ConnectivityChange {
  return {
    deviceId: row.device_id,
    name: row.name,
    before: row.before,
    after: row.after,
    failing: row.failing,
    reason: row.disconnect_reason,
  };
}

function inSnakeCase(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
