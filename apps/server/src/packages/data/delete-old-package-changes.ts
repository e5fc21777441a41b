import { getTableName, lt, sql } from 'drizzle-orm';
import { SOFTWARE_CHANGES_PER_DEVICE } from '@deviceportal/contract/device-limits';
import { isHeld } from '../../legal-holds/data/held.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Database } from '../../platform/database/database.ts';
import { deleteEnded, findCrowded } from '../../platform/retention.ts';
import { devicePackageHistory } from './packages-tables.ts';

const table = getTableName(devicePackageHistory);
const isChangeHeld = isHeld({ device: devicePackageHistory.deviceId, at: devicePackageHistory.at });

/** Deletes old changes of installed packages, and the oldest of a device that has too many. */
export async function deleteOldPackageChanges(
  database: Pick<Database, 'orm'>,
  { days, most = SOFTWARE_CHANGES_PER_DEVICE }: { readonly days: number; readonly most?: number },
): Promise<void> {
  const ended = lt(devicePackageHistory.at, sql`${portalNow} - make_interval(days => ${days})`);
  await deleteEnded(database, { table, ended: sql`${ended} and not ${isChangeHeld}` });
  const owner = devicePackageHistory.deviceId.name;
  for (const crowded of await findCrowded(database, { table, owner, most }))
    await deleteEnded(database, {
      table,
      ended: sql`${devicePackageHistory.deviceId} = ${crowded.owner} and ${devicePackageHistory.id} <= ${crowded.upTo} and not ${isChangeHeld}`,
    });
}
