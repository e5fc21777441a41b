import type pg from 'pg';

/** A type of PostgreSQL by its name in `pg_type`; for an array that of its elements. */
export interface DatabaseType {
  readonly name: string;
  readonly isArray: boolean;
}

export interface Schema {
  readonly types: ReadonlyMap<number, DatabaseType>;
  /** Columns of tables that can be null, as `table.column` by OID and number; of views this is not known. */
  readonly nullable: ReadonlySet<string>;
}

export async function readSchema(client: pg.Client): Promise<Schema> {
  const types = await client.query<DatabaseType & { oid: number }>(
    `select t.oid, coalesce(e.typname, t.typname)::text as name, e.oid is not null as "isArray"
       from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'`,
  );
  const nullable = await client.query<{ column: string }>(
    `select a.attrelid::int8 || '.' || a.attnum as column
       from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attnotnull`,
  );
  return {
    types: new Map(types.rows.map(({ oid, name, isArray }) => [oid, { name, isArray }])),
    nullable: new Set(nullable.rows.map(({ column }) => column)),
  };
}
