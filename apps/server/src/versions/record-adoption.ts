import { sql } from 'drizzle-orm';
import { inTransaction, type Database } from '../platform/database/database.ts';

const KEPT_DAYS = 400;

/** Writes what runs where down for a day (UTC), over what was written for it before; the last writing of a day stays. */
export async function recordAdoption(deps: {
  readonly database: Database;
  readonly clock: () => Date;
}): Promise<void> {
  const day = deps.clock().toISOString().slice(0, 10);
  await inTransaction(deps.database, async (tx) => {
    // One writer at a time: two servers may think that it is theirs to do.
    await tx.execute(sql`lock table version_adoption in share row exclusive mode`);
    await tx.execute(sql`delete from version_adoption
      where day = ${day} or day < ${day}::date - ${KEPT_DAYS}::int`);
    await tx.execute(sql`
      insert into version_adoption (component, day, version, model, country, devices)
      select component, ${day}::date, version, model, country, sum(devices)
      from (select component, version, model, country, devices from version_cell
        union all select component, version, model, country, devices from version_cell_delta) c
      group by 1, 3, 4, 5 having sum(devices) > 0`);
  });
}
