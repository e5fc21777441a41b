import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getDevice } from '../../src/devices/get-device.ts';
import { previewTarget } from '../../src/commands/target/preview-target.ts';
import {
  createCommandFixture,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { connectAgent } from '../support/connect-agent.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const viewer = viewerWith('Administrator');
let test: TestDatabase;
let fixture: CommandFixture;
let checking: string;
let older: string;
let learning: string;
let never: string;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  const ids = await seedDevices(test.database, [{}, {}, {}, {}]);
  [checking = '', older = '', learning = '', never = ''] = ids;
  await connect(checking, ['key']);
  await connect(older);
  await connect(learning, []);
});
afterAll(() => test[Symbol.asyncDispose]());

const connect = (deviceId: string, runKeys?: string[]): Promise<void> =>
  connectAgent(test.database, deviceId, runKeys);

const shown = async (deviceId: string) =>
  (await getDevice(fixture.deps, viewer, deviceId)).instances[0]?.checksSignatures;

it('a device shows whether its agent verifies signatures after it has connected', async () => {
  expect(await shown(checking)).toBe(true);
  expect(await shown(older)).toBe(false);
  expect(await shown(learning)).toBe(false);
  expect(await shown(never)).toBeNull();
});

it('a replaced agent that does not verify signatures does not affect its replacement', async () => {
  const [deviceId = ''] = await seedDevices(test.database, [{}]);
  await connect(deviceId);
  await test.database.orm.execute(sql`
    update device_instance set enrolled_at = portal_now() + interval '1 minute' where device_id = ${deviceId}`);
  expect(await shown(deviceId)).toBeNull();
});

it('a preview counts the devices of a run that do not verify signatures', async () => {
  const deviceIds = [checking, older, learning, never];
  const target = { kind: 'devices' as const, deviceIds };
  const request = { command: 'storage/usage', document: '', target };
  expect((await previewTarget(fixture.deps, viewer, request)).unchecked).toBe(2);
});
