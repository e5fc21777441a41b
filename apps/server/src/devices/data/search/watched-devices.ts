import { eq, sql, type SQL } from 'drizzle-orm';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { Executor } from '../../../platform/database/database.ts';
import { selectList, selectRows } from '../../../platform/database/select-rows.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { filterConditions } from './filter-conditions.ts';
import { every, formFor } from './predicate-forms.ts';
import { d, fromD, fromS, s } from './search-rows.ts';

/** Active devices of a filter within a viewer's scope, for statements that count them. */
export interface WatchedDevices {
  /** On `device_status s`, and on `device d` if it is needed. */
  readonly where: SQL;
  readonly needsDevice: boolean;
}

export async function watchedDevices(
  on: Executor,
  viewer: Viewer,
  request: { readonly filter: DeviceFilter; readonly now: Date },
): Promise<WatchedDevices> {
  const conditions = (await filterConditions(on, viewer, request)).map((condition) =>
    formFor(condition, 'device_status'),
  );
  return {
    where: sql`${eq(s.lifecycle, 'active')} and ${every(conditions)}`,
    needsDevice: conditions.some(({ needsDevice }) => needsDevice),
  };
}

/** `device_status s`, joined with `device d` only if it is needed. */
export const fromWatched = ({ needsDevice }: Pick<WatchedDevices, 'needsDevice'>): SQL =>
  sql`${fromS} ${joinedDevice(needsDevice)}`;

/** The rows of `s` that are counted, with what their conditions refer to. */
export interface CountedRows {
  /** Reads `device_status s`. */
  readonly from: SQL;
  /** Which of them are read. */
  readonly where: SQL;
  /** Further columns of `s`. */
  readonly columns: readonly { readonly name: string; readonly value: SQL }[];
}

/** Devices of a set that meet a condition on the counted rows. */
export interface CountedSet {
  readonly watched: WatchedDevices;
  readonly condition: SQL;
}

/**
 * How many devices of each set meet its condition. All sets are counted in one pass over the rows.
 * @param sets fewer than 1,000
 */
export async function countSets(
  on: Executor,
  rows: CountedRows,
  sets: readonly CountedSet[],
): Promise<number[]> {
  if (sets.length === 0) return [];
  const list = selectList(
    Object.fromEntries(
      sets.map(({ watched, condition }, index) => [
        `set${index}`,
        sql<number>`(count(*) filter (where ${condition} and ${watched.where}))::int`,
      ]),
    ),
  );
  const needsDevice = sets.some(({ watched }) => watched.needsDevice);
  const [found] = await selectRows(
    on,
    list,
    (columns) => sql`select ${columns} from ${readOnce(rows)} ${joinedDevice(needsDevice)}`,
  );
  return sets.map((_, index) => found?.[`set${index}`] ?? 0);
}

/** The IDs of some devices of a set that meet its condition. */
export async function findSomeOfSet(
  on: Executor,
  rows: CountedRows,
  { set: { watched, condition }, limit }: { readonly set: CountedSet; readonly limit: number },
): Promise<string[]> {
  const found = await on
    .select({ deviceId: sql<string>`${s.deviceId}` })
    .from(sql`${readOnce(rows)} ${joinedDevice(watched.needsDevice)}`)
    .where(sql`${condition} and ${watched.where}`)
    .limit(limit);
  return found.map(({ deviceId }) => deviceId);
}

/** As a subquery that the planner does not dissolve, so that its columns are computed once for all sets. */
function readOnce({ from, where, columns }: CountedRows): SQL {
  const further = columns.map(({ name, value }) => sql`, ${value} as ${sql.identifier(name)}`);
  return sql`(select ${s}.*${sql.join(further)} from ${from} where ${where} offset 0) ${s}`;
}

/** Some of the devices, in an order that is random but always the same. */
export async function sampleWatched(
  on: Executor,
  watched: WatchedDevices,
  limit: number,
): Promise<string[]> {
  const rows = await on
    .select({ deviceId: sql<string>`${s.deviceId}` })
    .from(fromWatched(watched))
    .where(watched.where)
    .orderBy(sql`uuid_hash(${s.deviceId})`)
    .limit(limit);
  return rows.map(({ deviceId }) => deviceId);
}

const joinedDevice = (isNeeded: boolean): SQL =>
  isNeeded ? sql`join ${fromD} on ${eq(d.id, s.deviceId)}` : sql``;

/** How many devices each set has. All are counted in one pass. */
export async function countWatched(
  on: Executor,
  sets: readonly WatchedDevices[],
): Promise<number[]> {
  const [only] = sets;
  // One set can be counted by an index.
  if (only !== undefined && sets.length === 1) {
    const [found] = await on
      .select({ total: sql<number>`count(*)::int` })
      .from(fromWatched(only))
      .where(only.where);
    return [found?.total ?? 0];
  }
  const isActive = eq(s.lifecycle, 'active');
  const rows: CountedRows = { from: sql`${fromS}`, where: isActive, columns: [] };
  return countSets(
    on,
    rows,
    sets.map((watched) => ({ watched, condition: sql`true` })),
  );
}
