import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { getAirBlast } from '../../src/air-blast/get-air-blast.ts';
import { findAirBlast } from '../../src/air-blast/data/rollout-queries.ts';
import { selectTargetRows } from '../../src/air-blast/data/targets/target-row-queries.ts';
import { everywhere } from '@deviceportal/contract/permissions';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { connectAgent } from '../support/connect-agent.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

async function uncheckedOf({ id }: AirBlastDetail): Promise<string[]> {
  const run = await findAirBlast(test.database.orm, id, 'all');
  if (run === undefined) throw new Error(id);
  const query = { run, scopes: [everywhere], group: 'unchecked', after: null, limit: 10 } as const;
  return (await selectTargetRows(test.database.orm, query)).map(({ deviceId }) => deviceId);
}

it('plan and preflight count and list the devices that do not check signatures', async () => {
  const [checking = '', older = '', full = '', never = ''] = await seedDevices(test.database, [
    ...[{}, {}, {}, {}],
  ]);
  await connectAgent(test.database, checking, ['key']);
  await connectAgent(test.database, older);
  await connectAgent(test.database, full);
  await test.database.pool.query(
    'update device_status set disk_used_percent = 99 where device_id = $1',
    [full],
  );
  const plan = await fixture.plan(operator, [checking, older, full, never]);
  expect(plan.unchecked).toBe(2);
  expect(await uncheckedOf(plan)).toEqual([older, full].toSorted());
  const checked = await fixture.next(operator, plan);
  expect(checked.unchecked).toBe(1);
  expect(checked.steps.at(-1)).toMatchObject({ step: 'preflight', evidence: { unchecked: 1 } });
  expect(await uncheckedOf(checked)).toEqual([older]);
});

it('the count follows agents that start to check signatures, until preflight records it', async () => {
  const [one = '', other = ''] = await seedDevices(test.database, [{}, {}]);
  await connectAgent(test.database, one);
  await connectAgent(test.database, other);
  const plan = await fixture.plan(operator, [one, other]);
  expect(plan.unchecked).toBe(2);
  await connectAgent(test.database, one, ['key']);
  const now = () => getAirBlast(fixture.deps, operator, plan.id);
  expect((await now()).unchecked).toBe(1);
  await fixture.next(operator, plan);
  await connectAgent(test.database, other, ['key']);
  expect((await now()).unchecked).toBe(1);
});
