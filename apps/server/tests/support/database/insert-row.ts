import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/platform/database/database.ts';

const values: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  'timestamp with time zone': `timestamptz '2020-01-01'`,
  boolean: 'false',
  jsonb: `'{}'::jsonb`,
  bytea: `''::bytea`,
  text: `''`,
  ARRAY: `'{}'`,
};

/** Inserts a row with these values. Other required columns get a value of their type. */
export async function insertRow(
  { orm }: Pick<Database, 'orm'>,
  table: string,
  row: Readonly<Record<string, string | number | Date>>,
): Promise<void> {
  const { rows } = await orm.execute<{ name: string; type: string }>(sql`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_nullable = 'NO' and column_default is null
      and is_identity = 'NO'`);
  const required = rows.filter(({ name }) => !(name in row));
  const names = [...Object.keys(row), ...required.map(({ name }) => name)];
  const given = Object.values(row).map((value) =>
    value instanceof Date ? sql`${value.toISOString()}` : sql`${value}`,
  );
  const filled = required.map(({ type }) => sql.raw(values[type] ?? '0'));
  await orm.execute(
    sql`insert into ${sql.identifier(table)} (${sql.join(
      names.map((name) => sql.identifier(name)),
      sql`, `,
    )}) values (${sql.join([...given, ...filled], sql`, `)})`,
  );
}
