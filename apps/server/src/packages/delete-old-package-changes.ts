import { sql } from 'drizzle-orm';
import { SOFTWARE_CHANGES_PER_DEVICE } from '@deviceportal/contract/device-limits';
import type { Database } from '../platform/database/database.ts';
import { deleteEnded, findCrowded } from '../platform/retention.ts';

const table = 'device_package_history';

/** Deletes old changes of installed packages, and those of a device that has too many. */
export async function deleteOldPackageChanges(
  database: Pick<Database, 'orm'>,
  { days, most = SOFTWARE_CHANGES_PER_DEVICE }: { readonly days: number; readonly most?: number },
): Promise<void> {
  const ended = sql`at < portal_now() - make_interval(days => ${days})`;
  await deleteEnded(database, { table, ended });
  for (const { owner, upTo } of await findCrowded(database, { table, owner: 'device_id', most }))
    await deleteEnded(database, { table, ended: sql`device_id = ${owner} and id <= ${upTo}` });
}
