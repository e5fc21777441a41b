import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import { builtinRoles } from '@deviceportal/contract/permissions';
import type { Database } from '../../platform/database/database.ts';

/** Puts the built-in roles on record, and brings them up to this release where they exist. */
export async function ensureBuiltinRoles({ database }: { database: Database }): Promise<void> {
  const rows = builtinRoles.map((role) => ({ id: newId(), ...role }));
  await database.orm.execute(sql`
    insert into role (id, name, description, permissions, scope, builtin)
    select id, name, description, permissions, scope, true
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as role(id uuid, name text, description text, permissions jsonb, scope jsonb)
    on conflict (lower(name)) do update
      set description = excluded.description, permissions = excluded.permissions,
          scope = excluded.scope, builtin = true, updated_at = portal_now()
      where role.builtin and (role.permissions <> excluded.permissions
        or role.description <> excluded.description)`);
}
