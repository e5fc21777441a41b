import { inTransaction, type Database } from '../platform/database/database.ts';
import { deleteAdoption, insertAdoption, lockAdoption } from './data/adoption-queries.ts';

const KEPT_DAYS = 400;

/** Stores the current versions for a day (UTC), replacing earlier records of that day; the last one is kept. */
export async function recordAdoption(deps: {
  readonly database: Database;
  readonly clock: () => Date;
}): Promise<void> {
  const day = deps.clock().toISOString().slice(0, 10);
  await inTransaction(deps.database, async (tx) => {
    await lockAdoption(tx);
    await deleteAdoption(tx, day, KEPT_DAYS);
    await insertAdoption(tx, day);
  });
}
