import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { runCommand } from '../../../src/commands/run-command.ts';
import {
  createCommandFixture,
  runInput,
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

const within = (...countries: string[]): Scope => ({ ...everywhere, countries });

it('a user whose scope was narrowed cannot read an earlier run by its idempotency key', async () => {
  const deviceIds = await seedDevices(test.database, [{ country: 'DE' }, { country: 'FR' }]);
  const operator = viewerWith('Operator');
  const input = runInput({
    ...{ command: 'restart/agent', target: { kind: 'devices', deviceIds } },
    idempotencyKey: randomUUID(),
  });
  const grantsIn = (scope: Scope) => ({
    ...operator,
    grants: viewerWith('Operator', scope).grants,
  });
  const again = (scope: Scope) => runCommand(fixture.deps, grantsIn(scope), input);
  const run = await again(everywhere);
  expect(await again(everywhere)).toEqual(run);
  expect((await again(within('DE'))).counters).toMatchObject({ target: 1 });
  await expect(again(within('US'))).rejects.toMatchObject({ code: 5000 });
});
