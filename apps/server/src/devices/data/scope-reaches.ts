import { is, sql, SQL, type SQLWrapper } from 'drizzle-orm';
import type { ScopedColumns } from './device-scope-condition.ts';

/** Whether a scope in jsonb reaches a device's row, with the meaning of `deviceScopeCondition`. */
export function scopeReaches(scope: SQLWrapper, device: ScopedColumns | SQL): SQL {
  const { country, model, labels } = is(device, SQL) ? columnsOf(device) : device;
  return sql`((${scope}->'countries' = '[]' or ${scope}->'countries' ? ${country})
    and (${scope}->'models' = '[]' or ${scope}->'models' ? ${model})
    and ${labels} @> (${scope}->'labels'))`;
}

/** For statements that are not built from the schema yet. */
const columnsOf = (alias: SQL): ScopedColumns => ({
  country: sql`${alias}.country`,
  model: sql`${alias}.model`,
  labels: sql`${alias}.labels`,
});
