import { sql, type SQL } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import type { Branch } from './device-predicate.ts';

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

export type PositionRow = Record<string, unknown> & { id: string; key: string };

/** Not before the sort: it would be done for every row that is sorted. */
export function textKeys(rows: SQL): SQL {
  return sql`select id, key::text as key from (${rows}) first`;
}

export function keyColumn(sort: DeviceSort, alias: 'b' | 'd' | 's'): SQL {
  const table = sql.identifier(alias);
  if (sort === 'lastSeen') return sql`${table}.seen_rank`;
  if (sort === 'name') return sql`${table}.name collate "C"`;
  return sql`${table}.serial_rank collate "C"`;
}

export function idOf(branch: Branch): SQL {
  return sql`b.${sql.identifier(branch.idColumn)}`;
}

export function beyond(ordering: Ordering, key: SQL, id: SQL): SQL {
  if (ordering.after === null) return sql`true`;
  const value =
    ordering.sort === 'lastSeen'
      ? sql`${ordering.after.key}::timestamptz`
      : sql`${ordering.after.key}::text`;
  const comparison = ordering.descending ? sql`<` : sql`>`;
  return sql`(${key}, ${id}) ${comparison} (${value}, ${ordering.after.id}::uuid)`;
}

export function inOrder(ordering: Ordering, key: SQL, id: SQL): SQL {
  return ordering.descending ? sql`order by ${key} desc, ${id} desc` : sql`order by ${key}, ${id}`;
}

export const toPosition = (row: PositionRow): Position => ({ id: row.id, key: row.key });
