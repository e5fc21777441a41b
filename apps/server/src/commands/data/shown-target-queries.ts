import { and, eq, isNull, notExists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { targetedDevices } from '../../devices/data/targeted-devices.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import type { TargetQuery } from '../target/run-target.ts';
import { invocation, shownTarget } from './commands-tables.ts';
import { sha256OfDevices } from './sha256-of-devices.ts';
import { reachedDevices } from './target-queries.ts';

/** Number of IDs stored per user, of the latest sets: 32 MB. */
const KEPT_IDS = 2_000_000;
const SAMPLE = 10;
const MAX_COUNTRIES = 50;
/** Number of added and removed devices that are named. */
const NAMED = 5;

export interface ShownTarget extends Omit<
  TargetPreview,
  'busy' | 'failures' | 'guard' | 'runCommandObstacles'
> {
  readonly models: readonly { readonly model: string; readonly count: number }[];
}

const build = new QueryBuilder();

type Reached = Readonly<
  Record<
    | 'deviceId'
    | 'name'
    | 'serialNumber'
    | 'ownerId'
    | 'country'
    | 'model'
    | 'connectivity'
    | 'unchecked',
    SQLWrapper
  >
>;

/** For `with`: number of these devices per country. */
const countriesOf = (reached: Reached & SQLWrapper) =>
  build
    .$with('by_country', { country: sql<string>`country`.as('country') })
    .as(
      sql`select ${reached.country} as country, count(*)::int as count from ${reached} group by 1`,
    );

/** Columns that summarize devices, over `with` clauses of them and of their countries. */
const summaryOf = (reached: Reached & SQLWrapper, byCountry: SQLWrapper) => {
  const { deviceId, model } = reached;
  const byModel = sql`(select ${model} as model, count(*)::int as count from ${reached} group by 1)`;
  const sample = sql`(
    select ${deviceId} as id, ${reached.serialNumber} as "serialNumber", ${reached.name} as name
    from ${reached} order by ${deviceId} limit ${SAMPLE})`;
  const countOf = (condition: SQL) =>
    sql<number>`(select count(*)::int from ${reached} where ${condition})`;
  return {
    online: countOf(sql`${reached.connectivity} in ('online', 'degraded')`),
    unchecked: countOf(sql`${reached.unchecked}`),
    people: sql<number>`(select count(distinct ${reached.ownerId})::int from ${reached})`,
    countryCount: sql<number>`(select count(*)::int from ${byCountry} where country <> '')`,
    countries: sql<ShownTarget['countries']>`coalesce((select jsonb_agg(first) from (
      select * from ${byCountry} order by count desc, country limit ${MAX_COUNTRIES}) first), '[]')`,
    models: sql<
      ShownTarget['models']
    >`coalesce((select jsonb_agg(by_model) from ${byModel} by_model), '[]')`,
    sample: sql<
      ShownTarget['sample']
    >`coalesce((select jsonb_agg(first) from ${sample} first), '[]')`,
  };
};

/** Summary of the devices of a target with the first ten. The IDs are stored temporarily for this user. */
export async function showTargetDevices(
  on: Executor,
  query: TargetQuery,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<ShownTarget> {
  const { candidate, reached } = reachedDevices(query);
  const { deviceId } = reached;
  const whole = build.$with('whole').as(
    build
      .select({
        count: sql<number>`count(*)::int`.as('whole_count'),
        ids: sql<string[]>`array_agg(${deviceId} order by ${deviceId})`.as('whole_ids'),
        sha256: sha256OfDevices(deviceId).as('whole_sha256'),
      })
      .from(reached),
  );
  const byCountry = countriesOf(reached);
  const { exclusion } = candidate;
  const excludedDevices = sql`(
    select ${exclusion} as reason, count(*)::int as count from ${candidate} where ${exclusion} is not null group by 1)`;
  const [shown] = await on
    .with(
      candidate,
      reached,
      whole,
      byCountry,
      build.$with('kept', {}).as(storeShown({ userId, now, whole })),
      build.$with('dropped', {}).as(dropOldest(userId, whole)),
    )
    .select({
      sha256: whole.sha256,
      count: whole.count,
      ...summaryOf(reached, byCountry),
      excluded: sql<ShownTarget['excluded']>`coalesce((
        select jsonb_agg(left_out order by count desc) from ${excludedDevices} left_out), '[]')`,
    })
    .from(whole);
  if (shown === undefined) throw new Error('aggregate query returned no rows');
  return shown;
}

type Whole = SQLWrapper & Readonly<Record<'count' | 'ids' | 'sha256', SQLWrapper>>;

const storeShown = (shown: {
  readonly userId: string;
  readonly now: Date;
  readonly whole: Whole;
}): SQL => {
  const { userId, sha256, deviceCount, deviceIds, shownAt } = shownTarget;
  const { whole } = shown;
  return sql`
    insert into ${shownTarget} (${columnNames(userId, sha256, deviceCount, deviceIds, shownAt)})
    select ${shown.userId}::uuid, ${whole.sha256}, ${whole.count}, ${whole.ids}, ${shown.now.toISOString()}::timestamptz
    from ${whole} where ${whole.count} > 0
    on conflict (${columnNames(userId, sha256)}) do update set ${columnNames(shownAt)} = ${excluded(shownAt)}
    where ${shownAt} < ${excluded(shownAt)} - interval '1 hour'`;
};

/** Deletes a user's stored IDs above the limit, except the set that is shown now. */
const dropOldest = (userId: string, whole: Whole): SQL => {
  const { sha256, deviceCount, shownAt } = shownTarget;
  const older = build
    .select({
      digest: sql`${sha256}`.as('digest'),
      sum: sql`sum(${deviceCount}) over (order by ${shownAt} desc, ${sha256})`.as('ids_so_far'),
    })
    .from(shownTarget)
    .where(eq(shownTarget.userId, userId))
    .as('older');
  return sql`
    delete from ${shownTarget} using ${older}, ${whole}
    where ${eq(shownTarget.userId, userId)} and ${sha256} = ${older.digest} and ${sha256} <> ${whole.sha256}
      and ${older.sum} + ${whole.count} > ${KEPT_IDS}`;
};

/** Summary of the open devices of a run that are in scope, like `showTargetDevices`. */
export async function showRunDevices(
  on: Executor,
  { runId, scopes }: { readonly runId: string; readonly scopes: readonly Scope[] },
): Promise<Omit<ShownTarget, 'excluded'>> {
  const open = build
    .select({ id: invocation.deviceId })
    .from(invocation)
    .where(and(eq(invocation.runId, runId), isNull(invocation.endedAt)));
  const targeted = targetedDevices({ chosen: open.getSQL(), matches: null });
  const reached = build.$with('reached').as(
    build
      .select({
        deviceId: targeted.deviceId,
        name: targeted.name,
        serialNumber: targeted.serialNumber,
        ownerId: targeted.ownerId,
        country: sql<string>`coalesce(${targeted.country}, '')`.as('country_or_none'),
        model: sql<string>`coalesce(${targeted.model}, '')`.as('model_or_none'),
        connectivity: targeted.connectivity,
        unchecked: targeted.unchecked,
      })
      .from(targeted)
      .where(deviceScopeCondition(scopes, targeted)),
  );
  const byCountry = countriesOf(reached);
  const [shown] = await on
    .with(reached, byCountry)
    .select({
      sha256: sha256OfDevices(reached.deviceId),
      count: sql<number>`count(*)::int`,
      ...summaryOf(reached, byCountry),
    })
    .from(reached);
  if (shown === undefined) throw new Error('aggregate query returned no rows');
  return shown;
}

/** Devices added and removed since a set was shown; the first ones by name, separated by commas. */
export type TargetDifference = NonNullable<Awaited<ReturnType<typeof findTargetDifference>>>;

/** Undefined if this user was not shown the set recently. Devices out of scope are neither counted nor named. */
export async function findTargetDifference(
  on: Executor,
  query: TargetQuery,
  wanted: { readonly userId: string; readonly sha256: string },
) {
  const { candidate, reached } = reachedDevices(query);
  const shown = build.$with('shown').as(
    build
      .select({ id: sql<string>`unnest(${shownTarget.deviceIds})`.as('shown_id') })
      .from(shownTarget)
      .where(and(eq(shownTarget.userId, wanted.userId), eq(shownTarget.sha256, wanted.sha256))),
  );
  const added = build.$with('added').as(
    build
      .select({ label: labelOf(reached).as('label') })
      .from(reached)
      .where(notExists(build.select().from(shown).where(eq(shown.id, reached.deviceId)))),
  );
  const removed = build.$with('removed').as(
    build
      .select({ label: labelOf(deviceRecords).as('label') })
      .from(shown)
      .innerJoin(deviceRecords, eq(deviceRecords.deviceId, shown.id))
      .where(
        and(
          deviceScopeCondition(query.readScopes, deviceRecords),
          notExists(
            build.select().from(reached).where(eq(reached.deviceId, deviceRecords.deviceId)),
          ),
        ),
      ),
  );
  const countOf = (which: SQLWrapper) => sql<number>`(select count(*)::int from ${which})`;
  const named = (which: SQLWrapper) => sql<string>`coalesce((
    select string_agg(label, ', ' order by label)
    from (select label from ${which} order by label limit ${NAMED}) first), '')`;
  const [difference] = await on
    .with(candidate, reached, shown, added, removed)
    .select({
      added: countOf(added),
      removed: countOf(removed),
      addedDevices: named(added),
      removedDevices: named(removed),
    })
    .from(sql`(select) as one`)
    .where(sql`exists (select from ${shown})`);
  return difference;
}

const labelOf = ({ serialNumber, name }: Pick<Reached, 'serialNumber' | 'name'>) =>
  sql<string>`coalesce(${sql`${serialNumber}`}, ${sql`${name}`})`;
