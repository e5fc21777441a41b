import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAirBlast } from '../../src/air-blast/get-air-blast.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const twoDevices = () => seedDevices(test.database, [{}, {}]);
const versionOf = (component: string, version: string) => ({
  change: { kind: 'version' as const, component, version, source: '', sha256: '' },
});

describe('a version', () => {
  it('is rejected if its component is neither registered nor on any device', async () => {
    await expect(
      fixture.plan(operator, await twoDevices(), versionOf('plyaer', '2.0.0')),
    ).rejects.toMatchObject({
      code: 2004,
      issues: [{ path: ['change', 'component'] }],
    });
  });

  it('has a warning in plan and preflight until it is registered or reported', async () => {
    const [id = '', ...others] = await twoDevices();
    await test.database.orm.execute(sql`
      insert into device_version (device_id, component, version, since, reported_at)
      values (${id}, 'decoder', '1.0.0', now(), now())`);
    const plan = await fixture.plan(operator, [id, ...others], versionOf('decoder', '9.9.9'));
    expect(plan.warnings).toEqual(['version-not-on-record']);
    const checked = await fixture.next(operator, plan);
    expect(checked.steps.at(-1)).toMatchObject({
      step: 'preflight',
      evidence: { go: 2, warnings: ['version-not-on-record'] },
    });
    await test.database.orm.execute(sql`
      insert into software_version (component, version, state) values ('decoder', '9.9.9', 'approved')`);
    expect((await getAirBlast(fixture.deps, operator, plan.id)).warnings).toEqual([]);
    expect((await fixture.plan(operator, others, versionOf('decoder', '9.9.9'))).warnings).toEqual([
      'component-on-no-device',
    ]);
  });
});
