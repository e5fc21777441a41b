import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { isEverywhere } from '../is-everywhere.ts';
import type { Scope } from '@deviceportal/contract/permissions';

/** Attributes that scopes use: columns of `device`, of a subquery, or of a table with copies. */
export interface ScopedColumns {
  readonly country: SQLWrapper;
  readonly model: SQLWrapper;
  readonly labels: SQLWrapper;
}

/**
 * Whether the device of a row is within one of the scopes. Without scopes, no device is; a scope without limits
 * contains all devices.
 */
export function deviceScopeCondition(scopes: readonly Scope[], device: ScopedColumns): SQL {
  if (scopes.length === 0) return sql`false`;
  if (scopes.some(isEverywhere)) return sql`true`;
  return sql`(${sql.join(
    scopes.map((scope) => reachedBy(scope, device)),
    sql` or `,
  )})`;
}

function reachedBy(scope: Scope, { country, model, labels }: ScopedColumns): SQL {
  const conditions: SQL[] = [];
  if (scope.countries.length > 0) {
    conditions.push(sql`${country} = any(${sql.param(scope.countries)}::text[])`);
  }
  if (scope.models.length > 0) {
    conditions.push(sql`${model} = any(${sql.param(scope.models)}::text[])`);
  }
  if (Object.keys(scope.labels).length > 0) {
    conditions.push(sql`${labels} @> ${JSON.stringify(scope.labels)}::jsonb`);
  }
  return sql`(${sql.join(conditions, sql` and `)})`;
}
