import { eq, getTableName, lt, sql, type SQL } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { SOFTWARE_CHANGES_PER_DEVICE } from '@deviceportal/contract/device-limits';
import { isHeld } from '../../legal-holds/data/held.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Database } from '../../platform/database/database.ts';
import { deleteEnded, findCrowded, type Retention } from '../../platform/retention.ts';
import { deviceVersionHistory } from './versions-tables.ts';

const table = getTableName(deviceVersionHistory);
const isChangeHeld = isHeld({ device: deviceVersionHistory.deviceId, at: deviceVersionHistory.at });

/**
 * Deletes old version changes, and the oldest of a device that has too many. The version at the start of the
 * remaining history stays known: only changes that were superseded before are deleted.
 */
export async function deleteOldVersionChanges(
  database: Pick<Database, 'orm'>,
  { days, most = SOFTWARE_CHANGES_PER_DEVICE }: { readonly days: number; readonly most?: number },
): Promise<void> {
  const before = sql`${portalNow} - make_interval(days => ${days})`;
  await deleteReplaced(database, ({ at }) => lt(at, before));
  const owner = deviceVersionHistory.deviceId.name;
  for (const crowded of await findCrowded(database, { table, owner, most })) {
    await deleteReplaced(
      database,
      ({ deviceId, id }) => sql`${deviceId} = ${crowded.owner} and ${id} <= ${crowded.upTo}`,
    );
  }
}

type Change = Readonly<Record<'id' | 'deviceId' | 'at', PgColumn>>;

async function deleteReplaced(
  database: Pick<Database, 'orm'>,
  isOld: (change: Change) => SQL | undefined,
): Promise<void> {
  for (const retention of replaced(isOld)) await deleteEnded(database, retention);
}

/** Removals are deleted last: without them a component would still seem to be installed. */
function replaced(isOld: (change: Change) => SQL | undefined): readonly Retention[] {
  const { deviceId, component, version, at, id } = deviceVersionHistory;
  const later = alias(deviceVersionHistory, 'later');
  const earlier = alias(deviceVersionHistory, 'earlier');
  const sameAs = (other: typeof later | typeof earlier) =>
    sql`${eq(other.deviceId, deviceId)} and ${eq(other.component, component)}`;
  const hasLater = sql`exists (select from ${deviceVersionHistory} ${later}
    where ${sameAs(later)} and ${isOld(later)} and (${later.at}, ${later.id}) > (${at}, ${id}))`;
  const hasEarlier = sql`exists (select from ${deviceVersionHistory} ${earlier}
    where ${sameAs(earlier)} and (${earlier.at}, ${earlier.id}) < (${at}, ${id}))`;
  const old = isOld(deviceVersionHistory);
  return [
    { table, ended: sql`${old} and ${hasLater} and not ${isChangeHeld}` },
    {
      table,
      ended: sql`${old} and ${version} is null and not ${hasEarlier} and not ${isChangeHeld}`,
    },
  ];
}
