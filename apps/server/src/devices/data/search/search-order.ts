import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import type { device } from '../devices-tables.ts';
import { copiedKeys, type Branch } from './device-predicate.ts';
import { d, s } from './search-rows.ts';

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

/** The key of `textKeys`, whatever its type in the table. */
export type PositionRow = Record<string, unknown> &
  Pick<typeof device.$inferSelect, 'id'> & { key: string };

/** Not before the sort: it would be done for every row that is sorted. */
export function textKeys(rows: SQL): SQL {
  return sql`select id, key::text as key from (${rows}) first`;
}

/** The sort key of a device; "last seen" is known to its status alone. */
const keysOfDevice = copiedKeys(d);

export const keyOfDevice = (sort: Exclude<DeviceSort, 'lastSeen'>): SQLWrapper =>
  keysOfDevice[sort];

const keysOfStatus = { ...copiedKeys(s), lastSeen: s.seenRank };

export const keyOfStatus = (sort: DeviceSort): SQLWrapper => keysOfStatus[sort];

export function keyOfBranch({ keys }: Branch, sort: DeviceSort): SQLWrapper {
  const key = keys[sort];
  if (key === undefined)
    throw new Error(`a branch is walked by ${sort}, which its rows do not have`);
  return key;
}

export function beyond(ordering: Ordering, key: SQLWrapper, id: SQLWrapper): SQL {
  if (ordering.after === null) return sql`true`;
  const value =
    ordering.sort === 'lastSeen'
      ? sql`${ordering.after.key}::timestamptz`
      : sql`${ordering.after.key}::text`;
  const comparison = ordering.descending ? sql`<` : sql`>`;
  return sql`(${key}, ${id}) ${comparison} (${value}, ${ordering.after.id}::uuid)`;
}

export function inOrder(ordering: Ordering, key: SQLWrapper, id: SQLWrapper): SQL {
  return ordering.descending ? sql`order by ${key} desc, ${id} desc` : sql`order by ${key}, ${id}`;
}

export const toPosition = (row: PositionRow): Position => ({ id: row.id, key: row.key });
