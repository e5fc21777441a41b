import { sql, type SQL } from 'drizzle-orm';
import { SOFTWARE_CHANGES_PER_DEVICE } from '@deviceportal/contract/device-limits';
import type { Database } from '../platform/database/database.ts';
import { deleteEnded, findCrowded, type Retention } from '../platform/retention.ts';

const table = 'device_version_history';

/**
 * Deletes old changes of what devices run, and those of a device that has too many. What a component was at the oldest
 * moment that is kept stays known: only what was replaced before then goes.
 */
export async function deleteOldVersionChanges(
  database: Pick<Database, 'orm'>,
  { days, most = SOFTWARE_CHANGES_PER_DEVICE }: { readonly days: number; readonly most?: number },
): Promise<void> {
  const before = sql`portal_now() - make_interval(days => ${days})`;
  await deleteReplaced(database, (row) => sql`${row}.at < ${before}`);
  for (const { owner, upTo } of await findCrowded(database, { table, owner: 'device_id', most })) {
    await deleteReplaced(
      database,
      (row) => sql`${row}.device_id = ${owner} and ${row}.id <= ${upTo}`,
    );
  }
}

async function deleteReplaced(
  database: Pick<Database, 'orm'>,
  isOld: (row: SQL) => SQL,
): Promise<void> {
  for (const retention of replaced(isOld)) await deleteEnded(database, retention);
}

/** Removals go last: without them a component would seem to be there still. */
function replaced(isOld: (row: SQL) => SQL): readonly Retention[] {
  const row = sql.identifier(table);
  const sameAs = (other: SQL): SQL =>
    sql`${other}.device_id = ${row}.device_id and ${other}.component = ${row}.component`;
  const later = sql`later`;
  const hasLater = sql`exists (select from ${row} later where ${sameAs(later)} and ${isOld(later)}
    and (later.at, later.id) > (${row}.at, ${row}.id))`;
  const hasEarlier = sql`exists (select from ${row} earlier where ${sameAs(sql`earlier`)}
    and (earlier.at, earlier.id) < (${row}.at, ${row}.id))`;
  const old = isOld(sql`${row}`);
  return [
    { table, ended: sql`${old} and ${hasLater}` },
    { table, ended: sql`${old} and version is null and not ${hasEarlier}` },
  ];
}
