import { lastResults } from '../commands/answers/last-results.ts';
import type { Executor } from '../platform/database/database.ts';
import { outdatedComponents } from '../versions/outdated-components.ts';
import { readDeviceFacts } from './data/device-facts-queries.ts';
import { loadRhythms } from './data/rhythm-queries.ts';
import { noRhythm } from './device-rhythm.ts';
import type { DeviceFacts } from './finding-rule.ts';

/** Number of the last results that rules use. */
const RESULTS = 3;

/** Loads all facts that rules use, for many devices in a constant number of statements. */
export async function loadFacts(
  on: Executor,
  deviceIds: readonly string[],
): Promise<DeviceFacts[]> {
  if (deviceIds.length === 0) return [];
  const rows = await readDeviceFacts(on, deviceIds);
  const inService = rows
    .filter(({ lifecycle }) => lifecycle === 'active')
    .map(({ deviceId }) => deviceId);
  // Sequentially: a transaction has one connection.
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
