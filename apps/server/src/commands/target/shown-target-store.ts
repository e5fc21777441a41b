import { sql, type SQL } from 'drizzle-orm';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type { Scope } from '@deviceportal/contract/permissions';
import { checksSignatures } from '../../devices/data/checks-signatures.ts';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { reachedDevices, sha256OfDevices, type TargetQuery } from './target-store.ts';

/** For each person so many ids are kept, of the latest sets: 32 MB. */
const KEPT_IDS = 2_000_000;
const SAMPLE = 10;
const MOST_COUNTRIES = 50;
/** Of what came and what went, so many are named. */
const NAMED = 5;

export interface ShownTarget extends Omit<TargetPreview, 'busy' | 'failures' | 'guard'> {
  readonly models: readonly { readonly model: string; readonly count: number }[];
}

/** Over `reached`, for `with`. */
const summaryParts = sql`
    by_country as (select country, count(*)::int as count from reached group by country),
    by_model as (select model, count(*)::int as count from reached group by model)`;

/** Columns over `whole`, `reached` and these. */
const summary = sql`
           (select sha256 from whole) as sha256, (select count from whole) as count,
           (select count(*)::int from reached where connectivity in ('online', 'degraded')) as online,
           (select count(*)::int from reached where unchecked) as unchecked,
           (select count(distinct "ownerId")::int from reached) as people,
           (select count(*)::int from by_country where country <> '') as "countryCount",
           coalesce((select jsonb_agg(first) from (select * from by_country order by count desc, country
                     limit ${MOST_COUNTRIES}) first), '[]') as countries,
           coalesce((select jsonb_agg(by_model) from by_model), '[]') as models,
           coalesce((select jsonb_agg(jsonb_build_object('id', "deviceId", 'serialNumber', "serialNumber", 'name', name))
                     from (select * from reached order by "deviceId" limit ${SAMPLE}) first), '[]') as sample`;

/** The devices of a target, counted, with the first ten. Which they are is kept for a while for this person. */
export async function showTargetDevices(
  executor: Executor,
  query: TargetQuery,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<ShownTarget> {
  const { rows } = await executor.execute(sql`
    with ${reachedDevices(query)},
    whole as materialized (
      select count(*)::int as count, array_agg("deviceId" order by "deviceId") as ids, ${sha256OfDevices(sql`"deviceId"`)} as sha256
      from reached),
    kept as (
      insert into shown_target (user_id, sha256, device_count, device_ids, shown_at)
      select ${userId}::uuid, sha256, count, ids, ${now.toISOString()}::timestamptz from whole where count > 0
      on conflict (user_id, sha256) do update set shown_at = excluded.shown_at
      where shown_target.shown_at < excluded.shown_at - interval '1 hour'),
    dropped as (
      delete from shown_target s using (
        select sha256, sum(device_count) over (order by shown_at desc, sha256) as ids
        from shown_target where user_id = ${userId}::uuid) older, whole
      where s.user_id = ${userId}::uuid and s.sha256 = older.sha256 and s.sha256 <> whole.sha256
        and older.ids + whole.count > ${KEPT_IDS}),
    ${summaryParts}
    select ${summary},
           coalesce((select jsonb_agg(jsonb_build_object('reason', exclusion, 'count', count) order by count desc)
                     from (select exclusion, count(*)::int from candidate where exclusion is not null
                           group by exclusion) left_out), '[]') as excluded`);
  return rows[0] as unknown as ShownTarget;
}

/** The devices of a run that are in sight and have not ended, likewise. */
export async function showRunDevices(
  executor: Executor,
  { runId, scopes }: { readonly runId: string; readonly scopes: readonly Scope[] },
): Promise<Omit<ShownTarget, 'excluded'>> {
  const { rows } = await executor.execute(sql`
    with reached as materialized (
      select d.id as "deviceId", d.name, d.serial_number as "serialNumber", d.owner_id as "ownerId",
             coalesce(d.country, '') as country, coalesce(d.model, '') as model, s.connectivity,
             ${checksSignatures(sql`n`, sql`s`)} is false as unchecked
      from invocation i join device d on d.id = i.device_id left join device_status s on s.device_id = d.id
      left join device_instance n on n.device_id = d.id and n.state = 'current'
      where i.run_id = ${runId} and i.ended_at is null and ${deviceScopeCondition(scopes)}),
    whole as materialized (
      select count(*)::int as count, ${sha256OfDevices(sql`"deviceId"`)} as sha256 from reached),
    ${summaryParts}
    select ${summary}`);
  return rows[0] as unknown as Omit<ShownTarget, 'excluded'>;
}

/** What came and what went since a set was shown. */
export interface TargetDifference extends Record<string, string | number> {
  readonly added: number;
  readonly removed: number;
  /** The first of them by name, separated by commas. */
  readonly addedDevices: string;
  readonly removedDevices: string;
}

/** Undefined where this person was not shown the set, or not lately. Devices out of sight are neither counted nor named. */
export async function findTargetDifference(
  executor: Executor,
  query: TargetQuery,
  shown: { readonly userId: string; readonly sha256: string },
): Promise<TargetDifference | undefined> {
  const named = (which: SQL): SQL => sql`
    (select string_agg(label, ', ' order by label) from (select label from ${which} order by label limit ${NAMED}) first)`;
  const { rows } = await executor.execute<TargetDifference>(sql`
    with ${reachedDevices(query)},
    shown as materialized (
      select unnest(device_ids) as id from shown_target
      where user_id = ${shown.userId}::uuid and sha256 = ${shown.sha256}),
    added as materialized (
      select coalesce("serialNumber", name) as label from reached
      where not exists (select from shown where shown.id = reached."deviceId")),
    removed as materialized (
      select coalesce(d.serial_number, d.name) as label from shown join device d on d.id = shown.id
      where ${deviceScopeCondition(query.readScopes)} and not exists (select from reached where reached."deviceId" = d.id))
    select (select count(*)::int from added) as added, (select count(*)::int from removed) as removed,
           coalesce(${named(sql`added`)}, '') as "addedDevices",
           coalesce(${named(sql`removed`)}, '') as "removedDevices"
    where exists (select 1 from shown)`);
  return rows[0];
}
