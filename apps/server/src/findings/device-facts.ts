import { lastResults } from '../commands/answers/last-results.ts';
import type { Executor } from '../platform/database/database.ts';
import { outdatedComponents } from '../versions/outdated-components.ts';
import { readDeviceFacts } from './data/device-facts-queries.ts';
import { loadRhythms } from './data/rhythm-queries.ts';
import { noRhythm } from './device-rhythm.ts';
import type { DeviceFacts } from './finding-rule.ts';

/** As many of the last results as a rule looks at. */
const RESULTS = 3;

/** Everything that rules look at, for many devices in a handful of statements. */
export async function loadFacts(
  on: Executor,
  deviceIds: readonly string[],
): Promise<DeviceFacts[]> {
  if (deviceIds.length === 0) return [];
  const rows = await readDeviceFacts(on, deviceIds);
  const inService = rows
    .filter(({ lifecycle }) => lifecycle === 'active')
    .map(({ deviceId }) => deviceId);
  // One after the other: in a transaction there is one connection.
  const outdated = await outdatedComponents(on, inService);
  const results = await lastResults(on, inService, RESULTS);
  const rhythms = await loadRhythms(on, inService);
  return rows.map((row) => ({
    ...row,
    connectivity: row.connectivity ?? 'never',
    failing: row.failing ?? [],
    outdated: outdated.get(row.deviceId) ?? [],
    results: results.get(row.deviceId) ?? [],
    rhythm: rhythms.get(row.deviceId) ?? noRhythm,
  }));
}
