import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { ScopedColumns } from './device-scope-condition.ts';

/** Whether a jsonb scope contains the device of a row, with the meaning of `deviceScopeCondition`. */
export function scopeReaches(scope: SQLWrapper, { country, model, labels }: ScopedColumns): SQL {
  return sql`((${scope}->'countries' = '[]' or ${scope}->'countries' ? ${country})
    and (${scope}->'models' = '[]' or ${scope}->'models' ? ${model})
    and ${labels} @> (${scope}->'labels'))`;
}
