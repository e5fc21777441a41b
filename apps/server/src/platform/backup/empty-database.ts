import type pg from 'pg';

const OF_PUBLIC = `= 'public'::regnamespace and not exists (
  select from pg_depend d where d.objid = o.oid and d.deptype = 'e')`;

/** Removes everything that an unfinished restore created. Extensions are kept. */
export async function emptyDatabase(client: pg.ClientBase): Promise<void> {
  await client.query('drop schema if exists identity, jobs, drizzle cascade');
  const { rows } = await client.query<{ statement: string }>(`
    select format('drop table if exists public.%I cascade', relname) as statement
    from pg_class o where relkind in ('r', 'p') and not relispartition and relnamespace ${OF_PUBLIC}
    union all
    select format('drop sequence if exists public.%I cascade', relname)
    from pg_class o where relkind = 'S' and relnamespace ${OF_PUBLIC}
    union all
    select format('drop routine if exists public.%I(%s) cascade', proname, pg_get_function_identity_arguments(oid))
    from pg_proc o where pronamespace ${OF_PUBLIC}
    union all
    select format('drop type if exists public.%I cascade', typname)
    from pg_type o where typtype in ('e', 'd') and typnamespace ${OF_PUBLIC}`);
  for (const { statement } of rows) await client.query(statement);
}
