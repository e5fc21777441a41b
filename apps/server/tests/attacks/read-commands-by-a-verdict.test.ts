import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { runCommand } from '../../src/commands/run-command.ts';
import { getDevice } from '../../src/devices/get-device.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createCommandWorld,
  may,
  runInput,
  seedDevices,
  viewerHolding,
  viewerWith,
  type CommandWorld,
} from '../support/command-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';

let db: TestDatabase;
let world: CommandWorld;
let deviceId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  world = await createCommandWorld(db.database);
  [deviceId = ''] = await seedDevices(db.database, [{ country: 'DE' }]);
  const target = { kind: 'devices' as const, deviceIds: [deviceId] };
  await runCommand(
    world.deps,
    viewerWith('Administrator'),
    runInput({ command: 'restart/agent', target }),
  );
  await db.database.orm.execute(sql`
    update invocation set state = 'Failed', status_details = 'Failed', ended_at = now()`);
});
afterAll(() => db[Symbol.asyncDispose]());

const verdictsFor = async (viewer: Viewer): Promise<string> =>
  JSON.stringify((await getDevice(world.deps, viewer, deviceId)).verdicts);

test('who may not see the commands of a device is not told by its verdicts what was run', async () => {
  expect(await verdictsFor(viewerWith('Viewer'))).toContain('restart/agent');
  expect(await verdictsFor(viewerHolding([may(['devices:read'])]))).not.toContain('restart/agent');
  const elsewhere = viewerHolding([
    may(['devices:read']),
    may(['commands:read'], { ...everywhere, countries: ['FR'] }),
  ]);
  expect(await verdictsFor(elsewhere)).not.toContain('restart/agent');
});
