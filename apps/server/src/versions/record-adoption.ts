import { inTransaction, type Database } from '../platform/database/database.ts';
import { deleteAdoption, insertAdoption, lockAdoption } from './data/adoption-queries.ts';

const KEPT_DAYS = 400;

/** Writes what runs where down for a day (UTC), over what was written for it before; the last writing of a day stays. */
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
