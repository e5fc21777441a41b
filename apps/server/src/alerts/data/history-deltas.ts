import { and, eq, gte, inArray, sql, type SQL } from 'drizzle-orm';
import type { AlertCondition } from '@deviceportal/contract/alerts';
import { auditEvents } from '../../audit-trail/data/audit-events.ts';
import { s } from '../../devices/data/search/search-rows.ts';
import { fromWatched, type WatchedDevices } from '../../devices/data/search/watched-devices.ts';
import { findingIntervals } from '../../findings/data/finding-intervals.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { severitiesFrom } from './rule-rows.ts';

/** By how much the number of matching devices changed in a minute. */
export interface HistoryDelta {
  /** Minutes since the start of the range. */
  readonly minute: number;
  readonly delta: number;
}

/** Conditions whose history is recorded as events. */
export type RecordedCondition = Exclude<AlertCondition, { readonly kind: 'metric' }>;

interface HistoryRange {
  readonly watched: WatchedDevices;
  readonly condition: RecordedCondition;
  readonly from: Date;
  readonly to: Date;
}

/** Disconnections before the range from which a device can still be offline. */
const LOOK_BACK_DAYS = 1;

const deltaList = selectList({ minute: sql<number>`minute`, delta: sql<number>`delta` });

/**
 * How the number of matching devices changed, derived from recorded connections or findings of the devices that are
 * watched now. One statement.
 */
export async function readHistoryDeltas(
  tx: Transaction,
  range: HistoryRange,
): Promise<HistoryDelta[]> {
  const { watched, condition, from, to } = range;
  const intervals =
    condition.kind === 'offline'
      ? offlineIntervals(condition.minutes, from)
      : findingsBetween(condition, from);
  const [start, end] = [from, to].map((at) => sql`${at.toISOString()}::timestamptz`);
  return selectRows(
    tx,
    deltaList,
    (list) => sql`
    with watched as materialized (
      select ${s.deviceId} as device_id, ${s.connectivity} as connectivity, ${s.connectivitySince} as since
      from ${fromWatched(watched)} where ${watched.where}),
    matching as (${intervals}),
    clipped as (
      select greatest(starts_at, ${start}) as starts_at, ends_at from matching
      where starts_at < ends_at and ends_at > ${start} and starts_at < ${end}),
    change as (
      select starts_at as at, 1 as delta from clipped
      union all select ends_at, -1 from clipped where ends_at < ${end}),
    summed as (
      select floor(extract(epoch from at - ${start}) / 60)::int as minute, sum(delta)::int as delta
      from change group by 1)
    select ${list} from summed where delta <> 0 order by minute`,
  );
}

/** Absences, without their first minutes, in which a device does not count. */
const offlineIntervals = (minutes: number, from: Date): SQL => sql`
  select at + make_interval(mins => ${minutes}) as starts_at, coalesce(next_at, 'infinity') as ends_at
  from (
    select ${auditEvents.at} as at, ${auditEvents.type} as type,
      lead(${auditEvents.at}) over (partition by ${auditEvents.deviceId} order by ${auditEvents.at}) as next_at
    from ${auditEvents} join watched on watched.device_id = ${auditEvents.deviceId}
    where ${and(
      gte(auditEvents.at, sql`${lookBack(from)}`),
      inArray(auditEvents.type, ['device.connected', 'device.disconnected']),
    )}) event
  where type = 'device.disconnected'
  union all
  select since + make_interval(mins => ${minutes}), 'infinity'
  from watched where connectivity = 'offline' and since < ${lookBack(from)}`;

const lookBack = (from: Date): SQL =>
  sql`${from.toISOString()}::timestamptz - make_interval(days => ${LOOK_BACK_DAYS})`;

/** A device with several findings at the same time counts once. */
const findingsBetween = (
  { rule, severity }: Extract<AlertCondition, { readonly kind: 'finding' }>,
  from: Date,
): SQL => sql`
  select lower(part) as starts_at, coalesce(upper(part), 'infinity') as ends_at
  from (
    select unnest(range_agg(tstzrange(${findingIntervals.openedAt},
      nullif(greatest(${findingIntervals.closedAt}, ${findingIntervals.openedAt}), 'infinity')))) as part
    from ${findingIntervals} join watched on watched.device_id = ${findingIntervals.deviceId}
    where ${findingIntervals.closedAt} > ${from.toISOString()}::timestamptz
      and ${rule === 'any' ? sql`true` : eq(findingIntervals.rule, rule)}
      and ${inArray(findingIntervals.severity, severitiesFrom(severity))}
    group by ${findingIntervals.deviceId}) part_of_device`;
