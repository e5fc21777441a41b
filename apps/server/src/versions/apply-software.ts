import { copyMainVersions, lockStatuses } from '../devices/data/main-version-queries.ts';
import type { Transaction } from '../platform/database/database.ts';
import {
  deleteComponents,
  mainVersions,
  recordDifferences,
  upsertComponents,
  type ReportedComponent,
} from './data/software-list-queries.ts';
import { queueDevices } from './device-table/queue-devices.ts';
import type { SoftwareRow, SoftwareChange } from './software-change.ts';

/** Applies component lists that devices reported, and queues the changed devices for the device version table. */
export async function applySoftware(
  tx: Transaction,
  rows: readonly SoftwareRow[],
): Promise<SoftwareChange[]> {
  const changes = await storeSoftware(tx, rows);
  await queueDevices(tx, changes);
  return changes;
}

/**
 * Stores component lists of many devices in a constant number of statements; of two lists of one device the later
 * one applies.
 */
export async function storeSoftware(
  tx: Transaction,
  rows: readonly SoftwareRow[],
): Promise<SoftwareChange[]> {
  if (rows.length === 0) return [];
  const newest = [...new Map(rows.map((row) => [row.deviceId, row])).values()];
  const items = newest.flatMap(toComponents);
  // Triggers update the status after each statement: of two concurrent lists of one device, the second must wait
  // before it writes anything.
  await lockStatuses(
    tx,
    newest.map((row) => row.deviceId),
  );
  const changes = await recordDifferences(tx, newest, items);
  await upsertComponents(tx, items);
  const gone = changes.filter((change) => change.after === null);
  if (gone.length > 0) await deleteComponents(tx, gone);
  const changed = [...new Set(changes.map((change) => change.deviceId))];
  if (changed.length > 0) await copyMainVersions(tx, mainVersions(changed));
  return changes;
}

function toComponents({ deviceId, at, components }: SoftwareRow): ReportedComponent[] {
  // A list that names a component twice keeps the last entry.
  const byName = new Map(components.map((item) => [item.component, item.version]));
  return [...byName].map(([component, version]) => ({ deviceId, component, version, since: at }));
}
