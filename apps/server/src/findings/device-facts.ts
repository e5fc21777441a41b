import { sql } from 'drizzle-orm';
import { lastResults } from '../commands/answers/last-results.ts';
import type { Executor } from '../platform/database/database.ts';
import { outdatedComponents } from '../versions/outdated-components.ts';
import { noRhythm } from './device-rhythm.ts';
import type { DeviceFacts } from './finding-rule.ts';
import { loadRhythms } from './rhythm-store.ts';

/** As many of the last results as a rule looks at. */
const RESULTS = 3;

interface FactsRow extends Record<string, unknown> {
  readonly id: string;
  readonly lifecycle: DeviceFacts['lifecycle'];
  readonly connectivity: DeviceFacts['connectivity'] | null;
  readonly connectivity_since: string | null;
  readonly disconnect_reason: string | null;
  readonly failing: DeviceFacts['failing'] | null;
  readonly disk_used_percent: number | null;
  readonly certificate_ends_at: string | null;
  readonly place_country: string | null;
  readonly place_at: string | null;
  readonly place_source: DeviceFacts['placeSource'];
}

/** Everything that rules look at, for many devices in a handful of statements. */
export async function loadFacts(
  on: Executor,
  deviceIds: readonly string[],
): Promise<DeviceFacts[]> {
  if (deviceIds.length === 0) return [];
  const { rows } = await on.execute<FactsRow>(sql`
    select d.id, d.lifecycle, s.connectivity, s.connectivity_since, s.disconnect_reason, s.failing, s.disk_used_percent,
      i.certificate_ends_at, l.country as place_country, l.at as place_at, l.source as place_source
    from device d
    left join device_status s on s.device_id = d.id
    left join device_instance i on i.device_id = d.id and i.state = 'current'
    left join device_location l on l.device_id = d.id
    where d.id = any(${sql.param([...deviceIds])}::uuid[]) order by d.id`);
  const inService = rows.filter(({ lifecycle }) => lifecycle === 'active').map(({ id }) => id);
  // One after the other: in a transaction there is one connection.
  const outdated = await outdatedComponents(on, inService);
  const results = await lastResults(on, inService, RESULTS);
  const rhythms = await loadRhythms(on, inService);
  return rows.map((row) => ({
    ...toFacts(row),
    outdated: outdated.get(row.id) ?? [],
    results: results.get(row.id) ?? [],
    rhythm: rhythms.get(row.id) ?? noRhythm,
  }));
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

function toFacts(row: FactsRow): Omit<DeviceFacts, 'outdated' | 'results' | 'rhythm'> {
  return {
    deviceId: row.id,
    lifecycle: row.lifecycle,
    connectivity: row.connectivity ?? 'never',
    connectivitySince: dateOf(row.connectivity_since),
    disconnectReason: row.disconnect_reason,
    failing: row.failing ?? [],
    diskUsedPercent: row.disk_used_percent,
    certificateEndsAt: dateOf(row.certificate_ends_at),
    placeCountry: row.place_country,
    placeAt: dateOf(row.place_at),
    placeSource: row.place_source,
  };
}
