import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import { rendered } from '../../../platform/database/rendered.ts';
import { device, deviceStatus } from '../devices-tables.ts';
import { deviceEntry, statusEntry } from './search-rows.ts';

/** Columns by which rows can be sorted, each with the collation of its index. */
export type SortKeys = Partial<Readonly<Record<DeviceSort, SQLWrapper>>>;

/**
 * Where matching devices can be read from without looking at all of them: rows of a table that a condition picks through
 * an index.
 */
export interface Branch {
  /** What stands behind `from`; rows of a table that conditions speak of are called `b`. */
  readonly from: SQLWrapper;
  /** The table that is read, where it is one that conditions speak of. */
  readonly table: 'device' | 'device_status' | null;
  /** The device of a row. */
  readonly id: SQLWrapper;
  readonly where: SQL;
  /** The sort keys that the rows have. */
  readonly keys: SortKeys;
  /** The sorts for which an index yields these rows in order. */
  readonly ordered: readonly DeviceSort[];
}

/** Branches that together hold every device that a condition matches. */
export interface Source {
  readonly branches: readonly Branch[];
  /** They hold no other device, so that the condition need not be checked again. */
  readonly exact: boolean;
  /** The same devices from fewer branches, for where the order does not matter. */
  readonly unordered?: readonly Branch[];
  /** The branches as one, which is read anew for each row `p` of `rows`: quick to plan where little is read. */
  readonly repeated?: { readonly rows: SQL; readonly branch: Branch };
  /** Known to be short: collect it before anything else. */
  readonly few: boolean;
  /** No device is in two of the branches: in order they are merged row by row, with all columns of their table. */
  readonly disjoint: boolean;
  /** Text whose number of matches only the planner can tell: patterns for `search_text like`. */
  readonly patterns?: readonly string[];
}

/** One condition on a device, over `d` (device) and `s` (device_status). */
export interface Predicate {
  readonly where: SQL;
  /** The same over `s` alone, where device_status holds a copy. */
  readonly whereOnStatus?: SQL;
  /** What follows from it for `seen_rank` of a branch: a walk in the order of "last seen" need not begin outside. */
  readonly seenRange?: SQL;
  readonly needsDevice: boolean;
  readonly needsStatus: boolean;
  /** Any one of them suffices to find all matches; none means that only a walk through everything does. */
  readonly sources: readonly Source[];
}

export const neverTrue: Predicate = {
  where: sql`false`,
  needsDevice: false,
  needsStatus: false,
  sources: [{ branches: [], exact: true, few: true, disjoint: true }],
};

export function onDevice(where: SQL, sources: readonly Source[] = []): Predicate {
  return { where, needsDevice: true, needsStatus: false, sources };
}

export function onStatus(where: SQL, sources: readonly Source[] = []): Predicate {
  return { where, needsDevice: false, needsStatus: true, sources };
}

export function negated(predicate: Predicate): Predicate {
  const { whereOnStatus, seenRange: _, ...rest } = predicate;
  return {
    ...rest,
    where: sql`(${predicate.where}) is not true`,
    ...(whereOnStatus === undefined ? {} : { whereOnStatus: sql`(${whereOnStatus}) is not true` }),
    sources: [],
  };
}

/** All of them. Each source of one alone covers the whole, but then the others are still to be checked. */
export function allOf(predicates: readonly Predicate[]): Predicate {
  const [only] = predicates;
  if (only !== undefined && predicates.length === 1) return only;
  return {
    where: sql`(${sql.join(
      predicates.map((part) => sql`(${part.where})`),
      sql` and `,
    )})`,
    needsDevice: predicates.some((part) => part.needsDevice),
    needsStatus: predicates.some((part) => part.needsStatus),
    sources: predicates
      .flatMap((part) => part.sources)
      .map((source) => ({ ...source, exact: false })),
  };
}

/** Any of them. There is a source only where each has one. */
export function anyOf(predicates: readonly Predicate[]): Predicate {
  const [only] = predicates;
  if (only === undefined) return neverTrue;
  if (predicates.length === 1) return only;
  return {
    where: sql`(${sql.join(
      predicates.map((part) => sql`(${part.where})`),
      sql` or `,
    )})`,
    needsDevice: predicates.some((part) => part.needsDevice),
    needsStatus: predicates.some((part) => part.needsStatus),
    sources: joinedSources(predicates),
  };
}

/** The n-th sources of all of them together, for each n, so that every sort finds its ordered one. */
function joinedSources(predicates: readonly Predicate[]): Source[] {
  const most = Math.max(...predicates.map((part) => part.sources.length));
  return Array.from({ length: most }, (_, position) =>
    predicates.flatMap((part) => part.sources[position] ?? part.sources.at(-1) ?? []),
  )
    .filter((sources) => sources.length === predicates.length)
    .filter((sources) => sources.every((each) => each.patterns === undefined))
    .map((sources) => ({
      branches: sources.flatMap((each) => each.branches),
      exact: sources.every((each) => each.exact),
      few: sources.every((each) => each.few),
      disjoint: false,
    }));
}

/** The sort keys of rows that have a copy of them, under the collation of the indexes. */
export const copiedKeys = (copy: {
  readonly serialRank: SQLWrapper;
  readonly name: SQLWrapper;
}): { readonly serialNumber: SQLWrapper; readonly name: SQLWrapper } => ({
  serialNumber: rendered(sql`${copy.serialRank} collate "C"`),
  name: rendered(sql`${copy.name} collate "C"`),
});

const devices = {
  from: rendered(sql`${device} ${deviceEntry}`),
  table: 'device',
  id: rendered(deviceEntry.id),
  keys: copiedKeys(deviceEntry),
} as const;

const statuses = {
  from: rendered(sql`${deviceStatus} ${statusEntry}`),
  table: 'device_status',
  id: rendered(statusEntry.deviceId),
  keys: { ...copiedKeys(statusEntry), lastSeen: rendered(statusEntry.seenRank) },
} as const;

export const fromDevice = (where: SQL, ordered: readonly DeviceSort[] = []): Branch => ({
  ...devices,
  where,
  ordered,
});

export const fromStatus = (where: SQL, ordered: readonly DeviceSort[] = []): Branch => ({
  ...statuses,
  where,
  ordered,
});

/** Rows of other tables. Without keys they have nothing by which devices are sorted. */
export function fromRows(
  { from, deviceId }: { readonly from: SQLWrapper; readonly deviceId: SQLWrapper },
  where: SQL,
  keys: SortKeys = {},
): Branch {
  const ordered = Object.keys(keys) as DeviceSort[];
  return { from: sql`${from}`, table: null, id: deviceId, where, keys, ordered };
}

/** Every device. */
export const wholeFleet = (): Source => source([fromStatus(sql`true`)]);

export const source = (branches: readonly Branch[], traits: Partial<Source> = {}): Source => ({
  branches,
  exact: true,
  few: false,
  disjoint: branches.length < 2,
  ...traits,
});

export function textArrayParam(values: readonly string[]): SQL {
  return sql`${sql.param([...values])}::text[]`;
}

export function idArrayParam(values: readonly string[]): SQL {
  return sql`${sql.param([...values])}::uuid[]`;
}
