import type { TestDatabase } from './create-test-database.ts';

/**
 * Moves the time that the product's SQL goes by in this database, for all its connections, at once.
 *
 * @param aheadMs how far before the true time it is; negative behind it
 */
export async function setDatabaseTime(
  { owner }: Pick<TestDatabase, 'owner'>,
  aheadMs: number,
): Promise<void> {
  await owner.pool.query(`
    create or replace function portal_now(moment timestamptz default now()) returns timestamptz
      language sql stable parallel safe return moment + interval '${aheadMs} milliseconds'`);
}
