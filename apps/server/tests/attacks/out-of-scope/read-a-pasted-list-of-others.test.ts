import { afterAll, beforeAll, expect, it } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { createTargetList, getTargetList } from '../../../src/devices/list/target-lists.ts';
import {
  createCommandFixture,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const within = (country: string) => ({ ...everywhere, countries: [country] });

it("a user limited to one country cannot read serial numbers or counts of other devices in another user's list", async () => {
  await seedDevices(test.database, [
    { serialNumber: 'LIST-DE-1', country: 'DE' },
    { serialNumber: 'LIST-FR-1', country: 'FR' },
  ]);
  const colleague = viewerWith('Operator');
  const text = 'LIST-DE-1 LIST-FR-1 LIST-NONE';
  const { id } = await createTargetList(fixture.deps, colleague, { name: 'callback', text });
  const missing = (viewer: typeof colleague) => getTargetList(fixture.deps, viewer, id);
  const all = { count: 3, found: 2, missing: ['LIST-NONE'], missingCount: 1 };
  expect(await missing(colleague)).toMatchObject(all);
  expect(await missing(viewerWith('Viewer'))).toMatchObject(all);
  const own = { count: 1, found: 1, missing: [], missingCount: 0 };
  expect(await missing(viewerWith('Viewer', within('DE')))).toMatchObject(own);
  const narrowed = { ...viewerWith('Operator', within('FR')), userId: colleague.userId };
  expect(await missing(narrowed)).toMatchObject({ count: 3, found: 1 });
});
