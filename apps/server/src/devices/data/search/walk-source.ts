import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import type { Branch, Predicate, Source } from './device-predicate.ts';
import { every, formFor, speaksOf, tableOf } from './predicate-forms.ts';
import {
  beyond,
  keyOfBranch,
  inOrder,
  textKeys,
  toPosition,
  type Ordering,
  type Position,
  type PositionRow,
} from './search-order.ts';
import { d, fromD, fromS, s } from './search-rows.ts';

/**
 * Maximum number of rows for which reading and sorting all rows of all branches is faster than planning their merge.
 */
const MAX_REPEATED = 1_500;

export interface WalkRequest {
  readonly source: Source;
  readonly conditions: readonly Predicate[];
  readonly ordering: Ordering;
  readonly entries: number;
  readonly limit: number;
}

/**
 * Walks at most `entries` entries of an index in the order of the page and returns the first `limit` that meet the
 * conditions. All other tables are joined by primary key, per entry: `offset 0` prevents the planner from choosing
 * another plan.
 */
export async function walkSource(on: Executor, walk: WalkRequest): Promise<Position[]> {
  const entries = walk.conditions.length === 0 ? walk.limit : walk.entries;
  const { rows, hits } = partsOf({ ...walk, entries });
  const found = await on.execute<PositionRow>(textKeys(hits(sql`(${rows})`)));
  return found.rows.map(toPosition);
}

export interface WholeWalk {
  readonly hits: readonly Position[];
  /** The last entry that was examined; null if all entries were. */
  readonly end: Position | null;
}

/** Reads all entries of the walk, even if a page is full earlier, and also returns the last entry. */
export async function walkToEnd(on: Executor, walk: WalkRequest): Promise<WholeWalk> {
  const { rows, hits } = partsOf(walk);
  const inTurn = inOrder(walk.ordering, sql`w.key`, sql`w.id`);
  const found = await on.execute<PositionRow & { is_end: boolean }>(sql`
    with walked as materialized (${rows})
    select is_end, id, key::text as key from (
      (select false as is_end, h.id, h.key from (${hits(sql`walked`)}) h)
      union all
      (select true, w.id, w.key from walked w ${inTurn} offset ${walk.entries - 1} limit 1)) parts`);
  const [end] = found.rows.filter((row) => row.is_end);
  return {
    hits: found.rows.filter((row) => !row.is_end).map(toPosition),
    end: end === undefined ? null : toPosition(end),
  };
}

/** The entries of a walk, and the subquery of those that meet its conditions. */
function partsOf(walk: WalkRequest) {
  const { source, conditions, ordering, limit } = walk;
  const table = tableOf(source);
  const onId = conditions.flatMap(({ whereOnId }) => (whereOnId === undefined ? [] : [whereOnId]));
  const forms = conditions
    .filter((part) => part.whereOnId === undefined)
    .map((part) => formFor(part, table));
  const here =
    table === null || !source.disjoint ? [] : forms.filter((part) => speaksOf(part) === table);
  return {
    rows: orderedRows(walk, here.length > 0),
    hits: (from: SQL): SQL => sql`
      select w.id, w.key from ${from} w
      ${checked(forms, { here, table })} ${sql.join(onId.map((holds) => sql`and ${holds(sql`w.id`)}`))}
      ${inOrder(ordering, sql`w.key`, sql`w.id`)} limit ${limit}`,
  };
}

function orderedRows(walk: WalkRequest, whole = false): SQL {
  const { source, ordering, entries } = walk;
  const [only] = source.branches;
  if (only === undefined) {
    return sql`select null::uuid as id, null::text as key limit 0`;
  }
  if (source.branches.length === 1) return orderedBranch(only, walk, whole);
  if (source.repeated !== undefined && source.branches.length * entries <= MAX_REPEATED) {
    const { rows, branch } = source.repeated;
    return sql`select u.* from ${rows} cross join lateral (${orderedBranch(branch, walk, whole)}) u
      ${inOrder(ordering, sql`u.key`, sql`u.id`)} limit ${entries}`;
  }
  // The first n rows of a union are among the first n of its parts. Without duplicates, the parts are read only as far
  // as they are merged (plan: Merge Append over Limit).
  const pieces = source.branches.map((branch) => sql`(${orderedBranch(branch, walk, whole)})`);
  const union = source.disjoint ? sql` union all ` : sql` union `;
  return sql`select ${whole ? sql`u.*` : sql`id, key`} from (${sql.join(pieces, union)}) u
    ${inOrder(ordering, sql`key`, sql`id`)} limit ${entries}`;
}

function orderedBranch(branch: Branch, walk: WalkRequest, whole: boolean): SQL {
  const { ordering, entries } = walk;
  const { id } = branch;
  const key = keyOfBranch(branch, ordering.sort);
  const columns = branch.table === 'device' ? sql`b.*` : sql`b.*, ${id} as id`;
  return sql`select ${whole ? columns : sql`${id} as id`}, ${key} as key from ${branch.from}
    where ${branch.where} and ${seenWithin(branch, walk)} and ${beyond(ordering, key, id)}
    ${inOrder(ordering, key, id)} limit ${entries}`;
}

/**
 * For walks sorted by "last seen": the range implied by the conditions, so that the walk starts where matches can be.
 */
function seenWithin(branch: Branch, { ordering, conditions }: WalkRequest): SQL {
  if (ordering.sort !== 'lastSeen' || branch.table !== 'device_status') return sql`true`;
  const ranges = conditions.flatMap((part) => part.seenRange ?? []);
  return ranges.length === 0 ? sql`true` : sql.join(ranges, sql` and `);
}

/**
 * Joins `w` with the tables that the conditions need, with each condition as close to its table as possible. The
 * conditions in `here` use the rows of `w` themselves.
 */
function checked(
  conditions: readonly Predicate[],
  rows: { readonly here: readonly Predicate[]; readonly table: Branch['table'] },
): SQL {
  const { here, table } = rows;
  const elsewhere = conditions.filter((part) => !here.includes(part));
  const deviceOnly = elsewhere.filter((part) => speaksOf(part) === 'device');
  const statusOnly = elsewhere.filter((part) => speaksOf(part) === 'device_status');
  const rest = elsewhere.filter((part) => speaksOf(part) === null);
  const needsBoth = rest.some((part) => part.needsDevice);
  const own = here.length === 0 ? null : table === 'device' ? d : s;
  const joins = [
    own === null ? sql`` : sql` cross join lateral (select w.*) ${own} `,
    own !== s && (statusOnly.length > 0 || needsBoth)
      ? sql` cross join lateral (select * from ${fromS}
          where ${s.deviceId} = w.id and ${every(statusOnly)} offset 0) ${s} `
      : sql``,
    own !== d && (deviceOnly.length > 0 || needsBoth)
      ? sql` cross join lateral (select * from ${fromD}
          where ${d.id} = w.id and ${every(deviceOnly)} offset 0) ${d} `
      : sql``,
  ];
  return sql`${sql.join(joins)} where ${every([...here, ...rest])}`;
}
