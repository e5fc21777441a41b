import {
  loadBuiltinCommands,
  builtinConsequences,
} from '../../../src/commands/catalog/builtin-commands.ts';
import { composeSearch } from '../../../src/compose/compose-search.ts';
import { createDevices } from '../../../src/devices/enrollment/create-devices.ts';
import { loadBuiltinDocuments } from '../../../src/documents/load-builtin-documents.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { SearchDeps } from '../../../src/search/find-anything.ts';
import { wantedFleet, wantedStates } from './wanted-fleet.ts';

/** A search over the people and devices that the wanted searches mean, besides those that exist already. */
export async function openWantedSearch(database: Database): Promise<SearchDeps> {
  const clock = () => new Date();
  await loadBuiltinDocuments({ database, clock, consequences: builtinConsequences });
  await loadBuiltinCommands({ database });
  const { people, devices } = wantedFleet();
  await createDevices({ database }, { people, devices });
  for (const { serialNumber } of devices) {
    await setState(database, serialNumber ?? '', wantedStates[serialNumber ?? ''] ?? 'offline');
  }
  return composeSearch({ database, clock });
}

/** Of all devices whose serial number begins with a text. */
export async function setState(
  { pool }: Database,
  beginning: string,
  state: 'online' | 'degraded' | 'offline',
): Promise<void> {
  const seen = state === 'offline' ? "now() - interval '1 day'" : "'infinity'";
  await pool.query(
    `update device_status set connectivity = $2, seen_rank = ${seen} where starts_with(serial_rank, $1)`,
    [beginning, state],
  );
}
