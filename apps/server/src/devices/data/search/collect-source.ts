import { count as countAll, sql, type SQL } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import type { Executor } from '../../../platform/database/database.ts';
import type { Predicate, Source } from './device-predicate.ts';
import { every, formFor, speaksOf, tableOf } from './predicate-forms.ts';
import {
  beyond,
  inOrder,
  keyOfBranch,
  keyOfDevice,
  keyOfStatus,
  textKeys,
  toPosition,
  type Ordering,
  type Position,
  type PositionRow,
} from './search-order.ts';
import { d, fromD, fromS, s } from './search-rows.ts';

export interface Collection {
  readonly source: Source;
  readonly conditions: readonly Predicate[];
  readonly ordering: Ordering;
  readonly limit: number;
  /** Number of IDs looked up first if a page can consist of devices with the same sort key. */
  readonly tiedIds: number;
}

/** Reads all rows of a source, checks the conditions, and sorts the matches. */
export async function collectSource(on: Executor, collection: Collection): Promise<Position[]> {
  const { source, conditions, ordering, limit } = collection;
  if (source.branches.length === 0) return [];
  const tie = tiedKey(ordering);
  const carried = source.branches.every((branch) => branch.keys[ordering.sort] !== undefined);
  const found = await on.execute<PositionRow>(
    tie === null || carried
      ? textKeys(firstOf(collected(source, conditions, ordering.sort), ordering, limit))
      : collectedByTie(collection, tie),
  );
  return found.rows.map(toPosition);
}

/** `offset 0` prevents the planner from scanning the sort index instead of reading the matches first. */
function firstOf(rows: SQL, ordering: Ordering, limit: number): SQL {
  return sql`select k.id, k.key from (${rows} offset 0) k
    where ${beyond(ordering, sql`k.key`, sql`k.id`)}
    ${inOrder(ordering, sql`k.key`, sql`k.id`)} limit ${limit}`;
}

/**
 * The sort key shared by many devices at which this page starts: all connected devices have the maximum of "last seen",
 * all that never connected the minimum. Among them, devices are sorted by ID.
 */
function tiedKey({ sort, descending, after }: Ordering): 'infinity' | '-infinity' | null {
  if (sort !== 'lastSeen') return null;
  if (after === null) return descending ? 'infinity' : '-infinity';
  return after.key === 'infinity' || after.key === '-infinity' ? after.key : null;
}

/**
 * Looks up the sort key of the first IDs only: if a full page of them has the sort key at which the page starts, no
 * other device can come before them. Otherwise the rest is looked up.
 */
function collectedByTie(collection: Collection, tie: 'infinity' | '-infinity'): SQL {
  const { source, conditions, ordering, limit } = collection;
  const table = tableOf(source);
  const forms = conditions.map((part) => formFor(part, table ?? 'device_status'));
  const here = table === null ? [] : forms.filter((part) => speaksOf(part) === table);
  const left = forms.filter((part) => !here.includes(part));
  const { near, rest } = nearestIds(collection);
  const keyed = (ids: SQL) => staged(sql`(select ${ids} from c)::uuid[]`, left, 'lastSeen');
  const all = sql`select id, key from first_near union all (${keyed(rest)})`;
  return textKeys(sql`
    with c as materialized (
      select array_agg(r.id order by r.id) as ids from (${rowsOf(source, here, null)}) r),
    first_near as materialized (${firstOf(keyed(near), ordering, limit)}),
    tied as materialized (select id, key from first_near where key = ${tie}::timestamptz)
    (select id, key from tied where (select count(*) from tied) = ${limit})
    union all
    (select id, key from (${firstOf(all, ordering, limit)}) a where (select count(*) from tied) < ${limit})
    ${inOrder(ordering, sql`key`, sql`id`)}`);
}

/** The IDs of the sorted array `ids` that come first on the page, and all others. */
function nearestIds({ ordering, tiedIds }: Collection): { readonly near: SQL; readonly rest: SQL } {
  const start = ordering.descending ? sql`cardinality(ids)` : sql`0`;
  const passed =
    ordering.after === null ? start : sql`width_bucket(${ordering.after.id}::uuid, ids)`;
  const [first, last] = ordering.descending
    ? [sql`greatest(1, ${passed} - ${tiedIds}::int)`, passed]
    : [sql`${passed} + 1`, sql`${passed} + ${tiedIds}::int`];
  return {
    near: sql`ids[${first} : ${last}]`,
    rest: sql`ids[: ${first} - 1] || ids[${last} + 1 :]`,
  };
}

/** The IDs in a source, as an array. */
export const idsOfSource = (source: Source): SQL => idsOfMatches(source, []);

/** The IDs in a source that meet the conditions, as an array. */
export function idsOfMatches(source: Source, conditions: readonly Predicate[]): SQL {
  return source.branches.length === 0
    ? sql`'{}'::uuid[]`
    : idsOf(collected(source, conditions, null));
}

export interface CountRequest {
  readonly source: Source;
  readonly conditions: readonly Predicate[];
  /** Upper limit of the count. */
  readonly limit: number;
}

/** Number of devices in a source that meet the conditions. */
export async function countSource(on: Executor, count: CountRequest): Promise<number> {
  const { source, conditions, limit } = count;
  if (source.branches.length === 0) return 0;
  const [found] = await on
    .select({ count: countAll() })
    .from(sql`(${collected(source, conditions, null)} limit ${limit}) k`);
  return found?.count ?? 0;
}

/** Like `countSource`, but reads at most `entries` rows of the source. */
export async function countSomeOfSource(
  on: Executor,
  count: CountRequest & { readonly entries: number },
): Promise<{ readonly count: number; readonly examined: number }> {
  const [found] = await on.select({
    count: sql<number>`found.count`,
    examined: sql<number>`found.looked_at`,
  }).from(sql`(
      with w as materialized (
        select id from (${collected(count.source, [], null)}) r limit ${count.entries}),
      k as materialized (
        select id from (${staged(sql`array(select id from w)`, count.conditions, null)}) c limit ${count.limit})
      select (select count(*)::int from k) as count, (select count(*)::int from w) as looked_at) found`);
  return found ?? { count: 0, examined: 0 };
}

/**
 * All devices of a source that meet the conditions. Each table is joined once with all IDs: one index scan over 20,000
 * sorted IDs takes a quarter of the time of 20,000 look-ups.
 */
function collected(source: Source, conditions: readonly Predicate[], sort: DeviceSort | null): SQL {
  const table = tableOf(source);
  // Sorting by "last seen" reads device_status anyway, so conditions that it can answer need no other table.
  const target = table ?? (sort === 'lastSeen' ? 'device_status' : null);
  const forms = conditions.map((part) => formFor(part, target));
  const here = table === null ? [] : forms.filter((part) => speaksOf(part) === table);
  const carried =
    sort !== null && source.branches.every((branch) => branch.keys[sort] !== undefined);
  const rows = rowsOf(source, here, carried ? sort : null);
  const left = forms.filter((part) => !here.includes(part));
  if (left.length === 0 && (carried || sort === null)) return rows;
  return staged(idsOf(rows), left, sort);
}

/** Rows of a source that meet the conditions on the row itself; with the sort key if one is given. */
function rowsOf(source: Source, here: readonly Predicate[], keyed: DeviceSort | null): SQL {
  const own = tableOf(source) === 'device' ? d : s;
  return sql.join(
    (source.unordered ?? source.branches).map(
      (
        branch,
      ) => sql`select ${branch.id} as id ${keyed === null ? sql`` : sql`, ${keyOfBranch(branch, keyed)} as key`}
        from ${branch.from} ${here.length > 0 ? sql`cross join lateral (select b.*) ${own}` : sql``}
        where ${branch.where} and ${every(here)}`,
    ),
    source.disjoint ? sql` union all ` : sql` union `,
  );
}

/**
 * The devices of an ID array, filtered by the conditions one table after the other; the last one returns the sort key.
 */
function staged(ids: SQL, conditions: readonly Predicate[], sort: DeviceSort | null): SQL {
  const onDevice = conditions.filter((part) => speaksOf(part) === 'device');
  const onStatus = conditions.filter((part) => speaksOf(part) === 'device_status');
  const onBoth = conditions.filter((part) => speaksOf(part) === null);
  const statusKey = sort === null ? sql`` : sql`, ${keyOfStatus(sort)} as key`;
  const deviceKey =
    sort === null || sort === 'lastSeen' ? sql`` : sql`, ${keyOfDevice(sort)} as key`;
  let found = ids;
  let rows: SQL | null = null;
  let keyed = sort === null;
  if (onDevice.length > 0) {
    keyed = sort !== 'lastSeen';
    rows = sql`select ${d.id} ${deviceKey} from ${fromD}
      where ${d.id} = any(${found}) and ${every(onDevice)}`;
    found = idsOf(rows);
  }
  if (onStatus.length > 0 || (!keyed && onBoth.length === 0)) {
    keyed = true;
    rows = sql`select ${s.deviceId} as id ${statusKey} from ${fromS}
      where ${s.deviceId} = any(${found}) and ${every(onStatus)}`;
    found = idsOf(rows);
  }
  if (onBoth.length === 0) return rows ?? sql`select c.id from unnest(${found}) as c(id)`;
  return sql`select ${s.deviceId} as id ${statusKey} from ${fromS} join ${fromD} on ${d.id} = ${s.deviceId}
    where ${s.deviceId} = any(${found}) and ${every(onBoth)}`;
}

const idsOf = (rows: SQL): SQL => sql`array(select c.id from (${rows}) c)`;
