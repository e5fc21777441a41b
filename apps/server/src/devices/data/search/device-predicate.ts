import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import { rendered } from '../../../platform/database/rendered.ts';
import { device, deviceStatus } from '../devices-tables.ts';
import { deviceEntry, statusEntry } from './search-rows.ts';

/** Sort columns with the collation of their index. */
export type SortKeys = Partial<Readonly<Record<DeviceSort, SQLWrapper>>>;

/**
 * Rows from which matching devices can be read without scanning all devices: rows of a table that a condition selects
 * by an index.
 */
export interface Branch {
  /** The `from` item. Rows of a table that conditions refer to have the alias `b`. */
  readonly from: SQLWrapper;
  /** The table, if conditions refer to it. */
  readonly table: 'device' | 'device_status' | null;
  /** The device ID of a row. */
  readonly id: SQLWrapper;
  readonly where: SQL;
  /** Sort keys in the rows. */
  readonly keys: SortKeys;
  /** Sort orders for which an index returns these rows in order. */
  readonly ordered: readonly DeviceSort[];
}

/** Branches that together contain every device that matches a condition. */
export interface Source {
  readonly branches: readonly Branch[];
  /** Whether they contain only matches, so that the condition need not be checked again. */
  readonly exact: boolean;
  /** The same devices from fewer branches, if the order does not matter. */
  readonly unordered?: readonly Branch[];
  /** The branches as one, evaluated for each row `p` of `rows`. Planned faster, for few rows. */
  readonly repeated?: { readonly rows: SQL; readonly branch: Branch };
  /** Whether it is known to be small. Small sources are collected first. */
  readonly few: boolean;
  /** Whether the planner knows if it is large. Large ones are not counted. */
  readonly isEstimated?: boolean;
  /** Whether no device is in two branches. Ordered branches are merged row by row with all columns of their table. */
  readonly disjoint: boolean;
  /** Patterns for `search_text like`, whose number of matches only the planner can estimate. */
  readonly patterns?: readonly string[];
}

/** A condition on a device, with the aliases `d` (device) and `s` (device_status). */
export interface Predicate {
  readonly where: SQL;
  /** The condition on `s` alone, if device_status contains a copy of the column. */
  readonly whereOnStatus?: SQL;
  /** The condition on an ID alone, if no column of the device or its status is needed. */
  readonly whereOnId?: (deviceId: SQLWrapper) => SQL;
  /** Range of `seen_rank` implied by the condition, which limits a walk sorted by "last seen". */
  readonly seenRange?: SQL;
  readonly needsDevice: boolean;
  readonly needsStatus: boolean;
  /** Alternative sources, each of which contains all matches; empty if only a full scan finds them. */
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
  const { whereOnStatus, whereOnId, seenRange: _, ...rest } = predicate;
  return {
    ...rest,
    where: sql`(${predicate.where}) is not true`,
    ...(whereOnStatus === undefined ? {} : { whereOnStatus: sql`(${whereOnStatus}) is not true` }),
    ...(whereOnId === undefined
      ? {}
      : { whereOnId: (id: SQLWrapper) => sql`(${whereOnId(id)}) is not true` }),
    sources: [],
  };
}

/** Conjunction. Each source of one predicate contains all matches, but the other conditions must still be checked. */
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

/** Disjunction. It has a source only if each predicate has one. */
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

/** Combines the n-th sources of all predicates, so that each sort order has an ordered source. */
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

/** Sort keys of rows that have copies of them, with the collation of the indexes. */
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

/** Rows of other tables. Without keys, they have no sort keys. */
export function fromRows(
  { from, deviceId }: { readonly from: SQLWrapper; readonly deviceId: SQLWrapper },
  where: SQL,
  keys: SortKeys = {},
): Branch {
  const ordered = Object.keys(keys) as DeviceSort[];
  return { from: sql`${from}`, table: null, id: deviceId, where, keys, ordered };
}

/** All devices. */
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
