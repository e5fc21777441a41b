import { sql, type SQL } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import type { Executor } from '../../platform/database/database.ts';
import type { Branch, Predicate, Source } from './device-predicate.ts';

/** Where a page begins: behind this sort key and id. */
export interface Position {
  readonly key: string;
  readonly id: string;
}

export interface Ordering {
  readonly sort: DeviceSort;
  readonly descending: boolean;
  readonly after: Position | null;
}

export interface Walk {
  readonly hits: readonly Position[];
  /** The last entry that was looked at; null when the walk came to the end. */
  readonly stoppedAt: Position | null;
}

type PositionRow = Record<string, unknown> & { id: string; key: string };

/**
 * Walks at most `entries` entries of an index in the order of the page and keeps the first `limit` that meet the
 * conditions. Every other table is reached by primary key, entry by entry, whatever the planner would like:
 * `offset 0` keeps it from another plan.
 */
export async function walkSource(
  on: Executor,
  walk: {
    readonly source: Source;
    readonly conditions: readonly Predicate[];
    readonly ordering: Ordering;
    readonly entries: number;
    readonly limit: number;
  },
): Promise<Walk> {
  const { ordering, limit } = walk;
  const unconditional = walk.conditions.length === 0;
  const entries = unconditional ? limit : walk.entries;
  const table = tableOf(walk.source);
  const forms = walk.conditions.map((part) => formFor(part, table));
  const here =
    table === null || walk.source.branches.length > 1
      ? []
      : forms.filter((part) => speaksOf(part) === table);
  const walked = orderedRows(walk.source, ordering, entries);
  const rows = here.length > 0 ? orderedRows(walk.source, ordering, entries, true) : walked;
  const found = await on.execute<PositionRow>(sql`
    select w.id, w.key::text as key from (${rows}) w
    ${checked(forms, { here, table })}
    ${inOrder(ordering, sql`w.key`, sql`w.id`)} limit ${limit}`);
  const hits = found.rows.map(toPosition);
  if (hits.length === limit) return { hits, stoppedAt: hits.at(-1) ?? null };
  if (unconditional) return { hits, stoppedAt: null };
  const last = await on.execute<PositionRow>(
    sql`select w.id, w.key::text as key from (${walked}) w offset ${entries - 1}`,
  );
  return { hits, stoppedAt: last.rows[0] === undefined ? null : toPosition(last.rows[0]) };
}

/** Collects everything that a source holds, checks the conditions and sorts what is left. */
export async function collectSource(
  on: Executor,
  collection: {
    readonly source: Source;
    readonly conditions: readonly Predicate[];
    readonly ordering: Ordering;
    readonly limit: number;
  },
): Promise<Position[]> {
  const { source, conditions, ordering, limit } = collection;
  if (source.branches.length === 0) return [];
  const found = await on.execute<PositionRow>(sql`
    with k as materialized (${collected(source, conditions, ordering.sort)})
    select k.id, k.key::text as key from k
    where ${beyond(ordering, sql`k.key`, sql`k.id`)}
    ${inOrder(ordering, sql`k.key`, sql`k.id`)} limit ${limit}`);
  return found.rows.map(toPosition);
}

/** How many devices a source holds that meet the conditions, looking at no more than `entries` of them. */
export async function countSource(
  on: Executor,
  count: {
    readonly source: Source;
    readonly conditions: readonly Predicate[];
    readonly entries: number;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly lookedAt: number }> {
  if (count.source.branches.length === 0) return { count: 0, lookedAt: 0 };
  const found = await on.execute<{ n: number; looked_at: number }>(sql`
    with w as materialized (
      select id from (${collected(count.source, [], null)}) r limit ${count.entries}),
    k as materialized (
      select id from (${staged(sql`select id from w`, count.conditions, null)}) c limit ${count.limit})
    select (select count(*)::int from k) as n, (select count(*)::int from w) as looked_at`);
  return { count: found.rows[0]?.n ?? 0, lookedAt: found.rows[0]?.looked_at ?? 0 };
}

/** How many rows a source holds, at most `cap + 1`: reads its index and nothing else. */
export async function measureSource(on: Executor, source: Source, cap: number): Promise<number> {
  const pieces = source.branches.map(
    (branch) => sql`(select 1 from ${branch.from} where ${branch.where} limit ${cap + 1})`,
  );
  if (pieces.length === 0) return 0;
  const found = await on.execute<{ n: number }>(
    sql`select count(*)::int as n from (${sql.join(pieces, sql` union all `)}) r`,
  );
  return found.rows[0]?.n ?? 0;
}

/**
 * How many devices the planner expects to hold all these patterns: from its histogram of `search_text`, which is made
 * fine enough for that. Counting would mean finding them.
 */
export async function estimateText(on: Executor, patterns: readonly string[]): Promise<number> {
  const conditions = patterns.map((pattern) => sql`search_text like ${pattern}`);
  return estimate(on, sql`select 1 from device where ${sql.join(conditions, sql` and `)}`);
}

/** How many rows the planner expects a source to hold. */
export async function estimateSource(on: Executor, source: Source): Promise<number> {
  const pieces = source.branches.map(
    (branch) => sql`(select 1 from ${branch.from} where ${branch.where})`,
  );
  return pieces.length === 0 ? 0 : estimate(on, sql.join(pieces, sql` union all `));
}

async function estimate(on: Executor, query: SQL): Promise<number> {
  const answer = await on.execute<{ 'QUERY PLAN': string | PlanRow[] }>(
    sql`explain (format json) ${query}`,
  );
  const plan = answer.rows[0]?.['QUERY PLAN'];
  const rows = typeof plan === 'string' ? (JSON.parse(plan) as PlanRow[]) : plan;
  return rows?.[0]?.Plan['Plan Rows'] ?? 0;
}

interface PlanRow {
  readonly Plan: { readonly 'Plan Rows': number };
}

function orderedRows(source: Source, ordering: Ordering, entries: number, whole = false): SQL {
  const [only] = source.branches;
  if (only === undefined) {
    return sql`select null::uuid as id, null::text as key limit 0`;
  }
  const pieces = source.branches.map((branch) => orderedBranch(branch, ordering, entries));
  if (source.branches.length === 1) return orderedBranch(only, ordering, entries, whole);
  // The first n of a union are among the first n of its parts.
  return sql`select id, key from (${sql.join(
    pieces.map((piece) => sql`(${piece})`),
    sql` union `,
  )}) u ${inOrder(ordering, sql`key`, sql`id`)} limit ${entries}`;
}

function orderedBranch(branch: Branch, ordering: Ordering, entries: number, whole = false): SQL {
  const key = keyColumn(ordering.sort, 'b');
  const id = idOf(branch);
  const columns = branch.idColumn === 'id' ? sql`b.*` : sql`b.*, ${id} as id`;
  return sql`select ${whole ? columns : sql`${id} as id`}, ${key} as key from ${branch.from}
    where ${branch.where} and ${beyond(ordering, key, id)}
    ${inOrder(ordering, key, id)} limit ${entries}`;
}

/**
 * Every device of a source that meets the conditions. Tables are entered once each, with all ids at a time: one index
 * scan over 20,000 sorted ids takes a quarter of 20,000 look-ups.
 */
function collected(source: Source, conditions: readonly Predicate[], sort: DeviceSort | null): SQL {
  const table = tableOf(source);
  // Under "last seen" device_status is entered anyway: what it can answer needs no other table.
  const target = table ?? (sort === 'lastSeen' ? 'device_status' : null);
  const forms = conditions.map((part) => formFor(part, target));
  const here = table === null ? [] : forms.filter((part) => speaksOf(part) === table);
  const carried = sort !== null && source.branches.every((branch) => branch.keys.includes(sort));
  const alias = sql.identifier(table === 'device' ? 'd' : 's');
  const rows = sql.join(
    source.branches.map(
      (
        branch,
      ) => sql`select ${idOf(branch)} as id ${carried ? sql`, ${keyColumn(sort, 'b')} as key` : sql``}
        from ${branch.from} ${here.length > 0 ? sql`cross join lateral (select b.*) ${alias}` : sql``}
        where ${branch.where} and ${every(here)}`,
    ),
    sql` union `,
  );
  const left = forms.filter((part) => !here.includes(part));
  if (left.length === 0 && (carried || sort === null)) return rows;
  return staged(rows, left, sort);
}

/** The given ids, reduced by the conditions on one table after the other; the last of them yields the sort key. */
function staged(ids: SQL, conditions: readonly Predicate[], sort: DeviceSort | null): SQL {
  const onDevice = conditions.filter((part) => speaksOf(part) === 'device');
  const onStatus = conditions.filter((part) => speaksOf(part) === 'device_status');
  const onBoth = conditions.filter((part) => speaksOf(part) === null);
  const key = (alias: 'd' | 's') =>
    sort === null ? sql`` : sql`, ${keyColumn(sort, alias)} as key`;
  let rows = ids;
  let keyed = sort === null;
  if (onDevice.length > 0) {
    keyed = sort !== 'lastSeen';
    rows = sql`select d.id ${keyed ? key('d') : sql``} from device d
      where d.id = any(array(select c.id from (${rows}) c)) and ${every(onDevice)}`;
  }
  if (onStatus.length > 0 || (!keyed && onBoth.length === 0)) {
    keyed = true;
    rows = sql`select s.device_id as id ${key('s')} from device_status s
      where s.device_id = any(array(select c.id from (${rows}) c)) and ${every(onStatus)}`;
  }
  if (onBoth.length === 0) return rows;
  return sql`select s.device_id as id ${key('s')} from device_status s join device d on d.id = s.device_id
    where s.device_id = any(array(select c.id from (${rows}) c)) and ${every(onBoth)}`;
}

/** The one table that a condition speaks of; null where it speaks of both or of none. */
function speaksOf(condition: Predicate): 'device' | 'device_status' | null {
  if (condition.needsDevice === condition.needsStatus) return null;
  return condition.needsDevice ? 'device' : 'device_status';
}

/** The table that all branches read, where it is one and the same. */
function tableOf(source: Source): Branch['table'] {
  const table = source.branches[0]?.table ?? null;
  return source.branches.every((branch) => branch.table === table) ? table : null;
}

/** A condition in the form that suits the rows at hand: over the copy in device_status where those are read. */
function formFor(condition: Predicate, table: Branch['table']): Predicate {
  if (table !== 'device_status' || condition.whereOnStatus === undefined) return condition;
  return { ...condition, where: condition.whereOnStatus, needsDevice: false, needsStatus: true };
}

/**
 * Joins `w` to what the conditions need, with each condition as close to its table as it can be. Those in `here` are
 * answered by the rows of `w` themselves.
 */
function checked(
  conditions: readonly Predicate[],
  own: { readonly here: readonly Predicate[]; readonly table: Branch['table'] },
): SQL {
  const { here, table } = own;
  const elsewhere = conditions.filter((part) => !here.includes(part));
  const deviceOnly = elsewhere.filter((part) => speaksOf(part) === 'device');
  const statusOnly = elsewhere.filter((part) => speaksOf(part) === 'device_status');
  const rest = elsewhere.filter((part) => speaksOf(part) === null);
  const needsBoth = rest.some((part) => part.needsDevice);
  const lookUp = (name: 'device' | 'device_status', alias: 'd' | 's', on: readonly Predicate[]) =>
    sql` cross join lateral (select * from ${sql.identifier(name)} ${sql.identifier(alias)}
      where ${sql.identifier(alias)}.${sql.identifier(name === 'device' ? 'id' : 'device_id')} = w.id
        and ${every(on)} offset 0) ${sql.identifier(alias)} `;
  const ownRow = (alias: 'd' | 's') =>
    sql` cross join lateral (select w.*) ${sql.identifier(alias)} `;
  const ownAlias = here.length === 0 ? null : table === 'device' ? 'd' : 's';
  const joins = [
    ownAlias === null ? sql`` : ownRow(ownAlias),
    ownAlias !== 's' && (statusOnly.length > 0 || needsBoth)
      ? lookUp('device_status', 's', statusOnly)
      : sql``,
    ownAlias !== 'd' && (deviceOnly.length > 0 || needsBoth)
      ? lookUp('device', 'd', deviceOnly)
      : sql``,
  ];
  return sql`${sql.join(joins)} where ${every([...here, ...rest])}`;
}

function every(conditions: readonly Predicate[]): SQL {
  if (conditions.length === 0) return sql`true`;
  return sql.join(
    conditions.map((part) => sql`(${part.where})`),
    sql` and `,
  );
}

function keyColumn(sort: DeviceSort, alias: 'b' | 'd' | 's'): SQL {
  const table = sql.identifier(alias);
  if (sort === 'lastSeen') return sql`${table}.seen_rank`;
  if (sort === 'name') return sql`${table}.name collate "C"`;
  return sql`${table}.serial_rank collate "C"`;
}

function idOf(branch: Branch): SQL {
  return sql`b.${sql.identifier(branch.idColumn)}`;
}

function beyond(ordering: Ordering, key: SQL, id: SQL): SQL {
  if (ordering.after === null) return sql`true`;
  const value =
    ordering.sort === 'lastSeen'
      ? sql`${ordering.after.key}::timestamptz`
      : sql`${ordering.after.key}::text`;
  const comparison = ordering.descending ? sql`<` : sql`>`;
  return sql`(${key}, ${id}) ${comparison} (${value}, ${ordering.after.id}::uuid)`;
}

function inOrder(ordering: Ordering, key: SQL, id: SQL): SQL {
  return ordering.descending ? sql`order by ${key} desc, ${id} desc` : sql`order by ${key}, ${id}`;
}

const toPosition = (row: PositionRow): Position => ({ id: row.id, key: row.key });
