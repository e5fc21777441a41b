import { sql, type SQL } from 'drizzle-orm';
import type { Branch, Predicate, Source } from './device-predicate.ts';

/** The one table that a condition speaks of; null where it speaks of both or of none. */
export function speaksOf(condition: Predicate): 'device' | 'device_status' | null {
  if (condition.needsDevice === condition.needsStatus) return null;
  return condition.needsDevice ? 'device' : 'device_status';
}

/** The table that all branches read, where it is one and the same. */
export function tableOf(source: Source): Branch['table'] {
  const table = source.branches[0]?.table ?? null;
  return source.branches.every((branch) => branch.table === table) ? table : null;
}

/** A condition in the form that suits the rows at hand: over the copy in device_status where those are read. */
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
