import type pg from 'pg';

/** A part of a schema: its description by its name, such as `column public.device.id`. */
export type Schema = ReadonlyMap<string, string>;

const SCHEMAS = "('public', 'identity')";
/** Partitions of the audit trail are created while servers run. */
const RELATIONS = `(select c.oid, relkind, relacl, format('%s.%s', nspname, relname) as name
   from pg_class c join pg_namespace n on n.oid = relnamespace
   where nspname in ${SCHEMAS} and not relispartition and relkind in ('r', 'p', 'v', 'm', 'S'))`;

/**
 * What a server relies on: `table`, `column`, `function`, `type`, `unique`, and `privilege`; and the
 * rules that restrict what it writes: `not null`, `constraint`, and `trigger`.
 */
const PARTS = `
  with relation as ${RELATIONS}
  select format('table %s', name) as name, '' as text from relation where relkind <> 'S'
  union all
  select format('sequence %s', name), '' from relation where relkind = 'S'
  union all
  select format('column %s.%s', name, attname), format_type(atttypid, atttypmod)
  from relation join pg_attribute on attrelid = oid
  where attnum > 0 and not attisdropped and relkind <> 'S'
  union all
  select format('not null %s.%s', name, attname), ''
  from relation join pg_attribute on attrelid = oid
  where attnum > 0 and not attisdropped and relkind in ('r', 'p')
    and attnotnull and not atthasdef and attidentity = ''
  union all
  select format('constraint %s: %s', name, pg_get_constraintdef(pg_constraint.oid)), ''
  from relation join pg_constraint on conrelid = relation.oid where contype in ('c', 'f', 'x')
  union all
  select format('unique %s %s', name,
      regexp_replace(pg_get_indexdef(indexrelid), '^CREATE UNIQUE INDEX .*? USING ', '')), ''
  from relation join pg_index on indrelid = oid where indisunique
  union all
  select format('trigger %s: %s', name,
      regexp_replace(pg_get_triggerdef(pg_trigger.oid), '^CREATE .*?TRIGGER [^ ]+ ', '')), ''
  from relation join pg_trigger on tgrelid = relation.oid where not tgisinternal
  union all
  select format('function %s.%s(%s)', nspname, proname, pg_get_function_identity_arguments(p.oid)),
    pg_get_function_result(p.oid)
  from pg_proc p join pg_namespace n on n.oid = pronamespace
  where nspname in ${SCHEMAS}
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all
  select format('type %s.%s %s', nspname, typname, enumlabel), ''
  from pg_enum join pg_type t on t.oid = enumtypid join pg_namespace n on n.oid = typnamespace
  where nspname in ${SCHEMAS}
  union all
  select format('privilege %s on %s', lower(privilege_type), name), ''
  from relation, aclexplode(relacl) join pg_roles on pg_roles.oid = grantee where rolname = $1`;

/** @param role the role of servers */
export async function readSchema(client: pg.ClientBase | pg.Pool, role: string): Promise<Schema> {
  const { rows } = await client.query<{ name: string; text: string }>(PARTS, [role]);
  return new Map(rows.map(({ name, text }) => [name, text]));
}
