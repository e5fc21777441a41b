import type { TestDatabase } from '../database/create-test-database.ts';

/** Runs statements as the owner of the database, without the triggers of the trail. */
export async function tamperWithTrail(
  { owner }: TestDatabase,
  statement: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const { rows } = await owner.pool.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger
     where tgname like 'audit\\_%' and tgparentid = 0`,
  );
  for (const { name } of rows) await owner.pool.query(`alter table ${name} disable trigger user`);
  await owner.pool.query(statement, [...values]);
  for (const { name } of rows) await owner.pool.query(`alter table ${name} enable trigger user`);
}
