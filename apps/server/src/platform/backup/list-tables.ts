import type pg from 'pg';

export interface StoredTable {
  /** Schema and name, quoted. */
  readonly name: string;
  /** Quoted; without generated columns. */
  readonly columns: readonly string[];
}

interface TableRow {
  readonly oid: number;
  readonly name: string;
  readonly columns: string[];
  readonly needs: number[];
}

/**
 * All tables in foreign key order, referenced tables first. Excludes migration tables, which belong
 * to the schema, and queued jobs, which belong to a running server.
 */
export async function listTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<TableRow>(`
    select c.oid::int as oid, format('%I.%I', n.nspname, c.relname) as name,
           array(select quote_ident(a.attname) from pg_attribute a
                 where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                 order by a.attnum) as columns,
           array(select f.confrelid::int from pg_constraint f
                 where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema', 'drizzle', 'jobs')
      and n.nspname not like 'pg\\_%'
      and (n.nspname, c.relname) <> ('identity', 'migration')
    order by name`);
  return inOrderOfNeed(rows).map(({ name, columns }) => ({ name, columns }));
}

function inOrderOfNeed(rows: readonly TableRow[]): TableRow[] {
  const known = new Set(rows.map(({ oid }) => oid));
  const done = new Set<number>();
  const ordered: TableRow[] = [];
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ oid, needs }) =>
        !done.has(oid) && needs.every((need) => done.has(need) || !known.has(need)),
    );
    if (next.length === 0) throw new Error('foreign keys of the tables form a cycle');
    for (const row of next) done.add(row.oid);
    ordered.push(...next);
  }
  return ordered;
}
