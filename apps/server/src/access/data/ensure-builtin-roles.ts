import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import { builtinRoles } from '@deviceportal/contract/permissions';
import { portalNow } from '../../platform/columns.ts';
import type { Database } from '../../platform/database/database.ts';
import { excluded, setExcluded } from '../../platform/database/excluded.ts';
import { recordsOf } from '../../platform/database/records-of.ts';
import { role } from './access-tables.ts';

/** Creates the built-in roles, or updates them to this release. */
export async function ensureBuiltinRoles({ database }: { database: Database }): Promise<void> {
  const { columns, values, records } = recordsOf(
    role,
    JSON.stringify(builtinRoles.map((each) => ({ id: newId(), ...each, builtin: true }))),
    ['id', 'name', 'description', 'permissions', 'scope', 'builtin'],
  );
  const { name, updatedAt, permissions, description } = role;
  await database.orm.execute(sql`
    insert into ${role} (${columns}) select ${values} from ${records}
    on conflict (lower(${sql.identifier(name.name)})) do update
      set ${setExcluded(role, ['description', 'permissions', 'scope', 'builtin'])},
          ${sql.identifier(updatedAt.name)} = ${portalNow}
      where ${role.builtin} and (${permissions} <> ${excluded(permissions)}
        or ${description} <> ${excluded(description)})`);
}
