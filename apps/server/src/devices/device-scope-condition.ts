import { sql, type SQL } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';

/**
 * Whether one of the scopes reaches the device in the row `device` (an alias of the device table). No scope at all
 * reaches nothing; a scope without limits reaches everything.
 */
export function deviceScopeCondition(scopes: readonly Scope[], device: SQL = sql.raw('d')): SQL {
  if (scopes.length === 0) return sql`false`;
  if (scopes.some(isEverywhere)) return sql`true`;
  return sql`(${sql.join(
    scopes.map((scope) => reachedBy(scope, device)),
    sql` or `,
  )})`;
}

export function isEverywhere(scope: Scope): boolean {
  return (
    scope.countries.length === 0 &&
    scope.models.length === 0 &&
    Object.keys(scope.labels).length === 0
  );
}

function reachedBy(scope: Scope, device: SQL): SQL {
  const conditions: SQL[] = [];
  if (scope.countries.length > 0) {
    conditions.push(sql`${device}.country = any(${sql.param(scope.countries)}::text[])`);
  }
  if (scope.models.length > 0) {
    conditions.push(sql`${device}.model = any(${sql.param(scope.models)}::text[])`);
  }
  if (Object.keys(scope.labels).length > 0) {
    conditions.push(sql`${device}.labels @> ${JSON.stringify(scope.labels)}::jsonb`);
  }
  return sql`(${sql.join(conditions, sql` and `)})`;
}
