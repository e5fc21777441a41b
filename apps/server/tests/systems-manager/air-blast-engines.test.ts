import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let setup: TestDatabase;
let fixture: AirBlastFixture;
let deviceIds: readonly string[];
beforeAll(async () => {
  setup = await createTestDatabase();
  fixture = await createAirBlastFixture(setup.database);
  deviceIds = await seedDevices(setup.database, [{}, { engine: 'ssm', serialNumber: null }]);
});
afterAll(() => setup[Symbol.asyncDispose]());

test.each([
  ['what both engines run', 'DevicePortal-restart-device', { targetCount: 2, excluded: [] }],
  [
    'what needs the agent',
    'DevicePortal-restart-agent',
    { targetCount: 1, excluded: [{ reason: 'needs-agent', count: 1 }] },
  ],
  [
    'what needs a newer agent of Systems Manager',
    'DevicePortal-storage-clean',
    { targetCount: 1, excluded: [{ reason: 'agent-too-old', count: 1 }] },
  ],
])('a rollout of %s reaches the devices that can run it', async (_what, document, expected) => {
  const change = { kind: 'document' as const, document, parameters: {} };
  const plan = await fixture.plan(viewerWith('Administrator'), deviceIds, { change });
  expect(plan).toMatchObject(expected);
});
