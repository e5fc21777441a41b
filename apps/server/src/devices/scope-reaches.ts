import { sql, type SQL } from 'drizzle-orm';

/** Whether a scope in jsonb reaches a device's row, with the meaning of `deviceScopeCondition`. */
export const scopeReaches = (scope: SQL, device: SQL): SQL =>
  sql`((${scope}->'countries' = '[]' or ${scope}->'countries' ? ${device}.country)
    and (${scope}->'models' = '[]' or ${scope}->'models' ? ${device}.model)
    and ${device}.labels @> (${scope}->'labels'))`;
