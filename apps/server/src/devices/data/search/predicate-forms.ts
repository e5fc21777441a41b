import { sql, type SQL } from 'drizzle-orm';
import type { Branch, Predicate, Source } from './device-predicate.ts';

/** The table that a condition refers to; null for both or none. */
export function speaksOf(condition: Predicate): 'device' | 'device_status' | null {
  if (condition.needsDevice === condition.needsStatus) return null;
  return condition.needsDevice ? 'device' : 'device_status';
}

/** The table that all branches read; null if they differ. */
export function tableOf(source: Source): Branch['table'] {
  const table = source.branches[0]?.table ?? null;
  return source.branches.every((branch) => branch.table === table) ? table : null;
}

/** The form of a condition for the given rows: on the copy in device_status if that table is read. */
export function formFor(condition: Predicate, table: Branch['table']): Predicate {
  if (table !== 'device_status' || condition.whereOnStatus === undefined) return condition;
  return { ...condition, where: condition.whereOnStatus, needsDevice: false, needsStatus: true };
}

export function every(conditions: readonly Predicate[]): SQL {
  if (conditions.length === 0) return sql`true`;
  return sql.join(
    conditions.map((part) => sql`(${part.where})`),
    sql` and `,
  );
}
