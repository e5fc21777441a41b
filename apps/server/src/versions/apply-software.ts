import { copyMainVersions, lockStatuses } from '../devices/data/main-version-queries.ts';
import type { Transaction } from '../platform/database/database.ts';
import {
  deleteComponents,
  mainVersions,
  recordDifferences,
  upsertComponents,
  type ReportedComponent,
} from './data/software-list-queries.ts';
import type { SoftwareRow, SoftwareChange } from './software-change.ts';

/** Component lists of many devices, in a handful of statements; of two lists of one device the later one counts. */
export async function applySoftware(
  tx: Transaction,
  rows: readonly SoftwareRow[],
): Promise<SoftwareChange[]> {
  if (rows.length === 0) return [];
  const newest = [...new Map(rows.map((row) => [row.deviceId, row])).values()];
  const items = newest.flatMap(toComponents);
  // What a change of versions means is written there after each statement: of two lists of one device that come at once
  // the second waits before it has written anything.
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
  // A list that names a component twice keeps the last of them.
  const byName = new Map(components.map((item) => [item.component, item.version]));
  return [...byName].map(([component, version]) => ({ deviceId, component, version, since: at }));
}
