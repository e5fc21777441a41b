import type { TestDatabase } from './create-test-database.ts';

/**
 * Moves the time that the product's SQL uses in this database, immediately and for all connections.
 * @param aheadMs offset from the real time; negative for the past
 */
export async function setDatabaseTime(
  { owner }: Pick<TestDatabase, 'owner'>,
  aheadMs: number,
): Promise<void> {
  await owner.pool.query(`
    create or replace function portal_now(moment timestamptz default now()) returns timestamptz
      language sql stable parallel safe return moment + interval '${aheadMs} milliseconds'`);
}
