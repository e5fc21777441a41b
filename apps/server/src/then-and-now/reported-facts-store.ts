import { sql } from 'drizzle-orm';
import type {
  CommandThen,
  FindingThenAndNow,
  ThenAndNow,
} from '@deviceportal/contract/then-and-now';
import type { PlaceRecord } from '../locations/place-for.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { DeviceRecord } from './walk-back.ts';

/** A device at a moment. */
export interface AtMoment {
  readonly deviceId: string;
  readonly at: Date;
}

export interface RecordNow {
  readonly record: DeviceRecord;
  readonly connectivity: string;
  readonly createdAt: string;
}

export async function loadRecord(on: Executor, deviceId: string): Promise<RecordNow | null> {
  const { rows } = await on.execute<
    Record<keyof DeviceRecord, never> & { connectivity: string; created_at: string }
  >(sql`
    select d.lifecycle, d.name, d.serial_number as "serialNumber", d.model, d.hardware_revision as "hardwareRevision",
      d.owner_id as "ownerId", d.country, d.time_zone as "timeZone", d.labels,
      coalesce(s.connectivity, 'never') as connectivity, d.created_at
    from device d left join device_status s on s.device_id = d.id where d.id = ${deviceId}`);
  const [row] = rows;
  if (row === undefined) return null;
  const { connectivity, created_at: createdAt, ...record } = row;
  return { record, connectivity, createdAt: isoOf(createdAt) };
}

export async function loadNames(
  on: Executor,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (personIds.length === 0) return new Map();
  const { rows } = await on.execute<{ id: string; name: string }>(
    sql`select id, name from person where id = any(${sql.param([...personIds])}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface SoftwareThenAndNow {
  readonly component: string;
  readonly earlier: string | null;
  readonly now: string | null;
  readonly changedAt: string | null;
}

export async function loadSoftware(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<SoftwareThenAndNow[]> {
  const { rows } = await on.execute<{
    component: string;
    earlier: string | null;
    now: string | null;
    changed_at: string | null;
  }>(sql`
    with history as (select component, version, at, id from device_version_history where device_id = ${deviceId}),
    earlier as (select distinct on (component) component, version from history
      where at <= ${at.toISOString()} order by component, at desc, id desc),
    later as (select component, max(at) as at from history where at > ${at.toISOString()} group by component),
    current as (select component, version from device_version where device_id = ${deviceId})
    select component, earlier.version as earlier, current.version as now, later.at as changed_at
    from current full join earlier using (component) left join later using (component) order by component`);
  return rows.map(({ changed_at: changedAt, ...row }) => ({
    ...row,
    changedAt: changedAt === null ? null : isoOf(changedAt),
  }));
}

export interface PlacesThenAndNow {
  readonly earlier: PlaceRecord | null;
  readonly now: PlaceRecord | null;
}

export async function loadPlaces(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<PlacesThenAndNow> {
  const place = sql`jsonb_build_object('at', l.at, 'latitude', l.latitude, 'longitude', l.longitude,
    'accuracyMeters', l.accuracy_meters, 'source', l.source, 'country', l.country)`;
  const { rows } = await on.execute<PlacesThenAndNow & Record<string, unknown>>(sql`
    select
      (select ${place} from geolocation l where l.device_id = ${deviceId} and l.at <= ${at.toISOString()}
        order by l.at desc limit 1) as earlier,
      (select ${place} from device_location l where l.device_id = ${deviceId}) as now`);
  return rows[0] ?? { earlier: null, now: null };
}

export async function loadFindings(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<FindingThenAndNow[]> {
  const moment = sql`${at.toISOString()}::timestamptz`;
  const { rows } = await on.execute<{
    rule: FindingThenAndNow['rule'];
    severity: FindingThenAndNow['severity'];
    opened_at: string;
    closed_at: string | null;
  }>(sql`
    select rule, severity, opened_at, null::timestamptz as closed_at from finding where device_id = ${deviceId}
    union all
    select rule, severity, opened_at, closed_at from finding_history
      where device_id = ${deviceId} and closed_at > ${moment} and opened_at <= ${moment}
    order by opened_at, rule`);
  return rows.map((row) => ({
    rule: row.rule,
    severity: row.severity,
    earlier: new Date(row.opened_at) <= at,
    now: row.closed_at === null,
    openedAt: isoOf(row.opened_at),
    closedAt: row.closed_at === null ? null : isoOf(row.closed_at),
  }));
}

/** Of the commands asked for before, so many are looked through for those that had not ended. */
const LOOKED_THROUGH = 200;

export async function loadCommands(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<CommandThen[]> {
  const moment = sql`${at.toISOString()}::timestamptz`;
  const { rows } = await on.execute<{
    id: string;
    command: string;
    state: CommandThen['state'];
    queued_at: string;
    ended_at: string | null;
  }>(sql`
    select i.id, r.command, i.state, i.queued_at, i.ended_at
    from (select id, run_id, state, queued_at, ended_at from invocation
      where device_id = ${deviceId} and queued_at <= ${moment} order by queued_at desc, id desc limit ${LOOKED_THROUGH}) i
    join command_run r on r.id = i.run_id
    where i.ended_at is null or i.ended_at > ${moment} order by i.queued_at desc, i.id desc`);
  return rows.map((row) => ({
    invocationId: row.id,
    command: row.command,
    state: row.state,
    queuedAt: isoOf(row.queued_at),
    endedAt: row.ended_at === null ? null : isoOf(row.ended_at),
  }));
}

const PACKAGES = 100;

export async function loadPackages(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<ThenAndNow['packages']> {
  const { rows } = await on.execute<{
    id: string;
    name: string;
    before: string | null;
    after: string | null;
    at: string;
  }>(sql`
    select id::text, name, before, after, at from device_package_history
    where device_id = ${deviceId} and at > ${at.toISOString()} order by id desc limit ${PACKAGES + 1}`);
  return {
    changes: rows.slice(0, PACKAGES).map((row) => ({ ...row, at: isoOf(row.at) })),
    more: rows.length > PACKAGES,
  };
}
