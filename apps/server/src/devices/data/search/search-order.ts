import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import type { device } from '../devices-tables.ts';
import { copiedKeys, type Branch } from './device-predicate.ts';
import { d, s } from './search-rows.ts';

/** Start of a page: after this sort key and ID. */
export interface Position {
  readonly key: string;
  readonly id: string;
}

export interface Ordering {
  readonly sort: DeviceSort;
  readonly descending: boolean;
  readonly after: Position | null;
}

/** A row of `textKeys`; the key is text for every column type. */
export type PositionRow = Record<string, unknown> &
  Pick<typeof device.$inferSelect, 'id'> & { key: string };

/** Apply after sorting; otherwise every sorted row would be converted. */
export function textKeys(rows: SQL): SQL {
  return sql`select id, key::text as key from (${rows}) first`;
}

/** Sort keys of a device; "last seen" is only in device_status. */
const keysOfDevice = copiedKeys(d);

export const keyOfDevice = (sort: Exclude<DeviceSort, 'lastSeen'>): SQLWrapper =>
  keysOfDevice[sort];

const keysOfStatus = { ...copiedKeys(s), lastSeen: s.seenRank };

export const keyOfStatus = (sort: DeviceSort): SQLWrapper => keysOfStatus[sort];

export function keyOfBranch({ keys }: Branch, sort: DeviceSort): SQLWrapper {
  const key = keys[sort];
  if (key === undefined) throw new Error(`branch has no sort key ${sort}`);
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
