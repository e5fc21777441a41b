import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { editAirBlast } from '../../src/air-blast/plan/plan-air-blast.ts';
import { openStore } from '../../src/commands/parameters/store-vault.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { origin, seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishVersion } from '../support/publish-document.ts';

const NAME = 'acme-join-fleet';
const OLD = 'old-horse-battery';
const NEW = 'new-horse-battery';
const content = `schemaVersion: '2.2'
mainSteps:
  - action: aws:runShellScript
    name: join
    inputs: { runCommand: ['join {{ssm:banner}} {{ssm:wifi.key}}'] }
`;
const administrator = viewerWith('Administrator');
let test: TestDatabase;
let fixture: AirBlastFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
  await createDocument(fixture.deps, administrator, {
    name: NAME,
    description: '',
    consequence: 'changes',
    secretParameters: [],
    labels: {},
    content,
    note: '',
    origin,
  });
  await publishVersion(fixture.deps, administrator, { name: NAME, version: 1 });
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => store(OLD, 1));

/** Sets the values that the parameter store returns. */
function store(key: string, version: number): void {
  fixture.stored.length = 0;
  fixture.stored.push(
    { name: 'banner', version, type: 'String', value: `hello ${version}` },
    { name: 'wifi.key', version, type: 'SecureString', value: key },
  );
}

const plan = async (devices = 4): Promise<AirBlastDetail> =>
  fixture.plan(
    administrator,
    await seedDevices(
      test.database,
      Array.from({ length: devices }, () => ({})),
    ),
    {
      change: { kind: 'document', document: NAME, parameters: {} },
      options: { wavePercents: [50, 100] },
    },
  );

/** The parameters of each command run of a rollout, in the order of its waves. */
async function valuesOfWaves({ id }: AirBlastDetail): Promise<string[]> {
  const { rows } = await test.database.orm.execute<{
    id: string;
    parameters: Record<string, unknown>;
  }>(sql`
    select r.id, r.parameters from air_blast_wave w join command_run r on r.id = w.run_id
    where w.air_blast_id = ${id} order by w.opened_at, w.wave`);
  return rows.map((row) =>
    Object.values(openStore(fixture.deps.vault, row))
      .map(({ value }) => value)
      .join(' '),
  );
}

it('every wave runs with the values of the parameter store at the time of the plan', async () => {
  const run = await plan();
  expect(run.storeParameters.toSorted()).toEqual(['banner:1', 'wifi.key:1']);
  await fixture.next(administrator, run);
  await fixture.next(administrator, run);
  await fixture.settle(run, administrator);
  store(NEW, 2);
  await fixture.next(administrator, run);
  await fixture.settle(run, administrator);
  expect(await valuesOfWaves(run)).toEqual(Array(3).fill(`hello 1 ${OLD}`));
});

it('an edited plan reads the parameter store again', async () => {
  const run = await plan();
  store(NEW, 2);
  const edited = await editAirBlast(fixture.deps, administrator, {
    id: run.id,
    revision: run.revision,
    name: run.name,
    reason: '',
    change: { kind: 'document', document: NAME, parameters: {} },
    target: { kind: 'devices', deviceIds: await seedDevices(test.database, [{}]) },
    options: run.options,
    origin,
  });
  // A single device has no canary: it receives the change in the rollout stage.
  await fixture.next(administrator, edited);
  await fixture.next(administrator, edited);
  await fixture.settle(edited, administrator);
  await fixture.next(administrator, edited);
  await fixture.settle(edited, administrator);
  expect(await valuesOfWaves(edited)).toEqual([`hello 2 ${NEW}`]);
});

it('a value of the parameter store is never stored in clear text, and its author is recorded', async () => {
  const run = await plan();
  const { rows } = await test.database.orm.execute<{ kept: string; told: string }>(sql`
    select a::text as kept, e.data::text as told from air_blast a
    join audit_event e on e.data->>'airBlastId' = a.id::text
    where a.id = ${run.id} and e.type = 'air-blast.planned'`);
  expect(rows[0]?.told).toContain('wifi.key:1');
  expect(JSON.stringify([rows, run])).not.toContain(OLD);
  expect(rows[0]?.kept).not.toContain('hello 1');
});

it('a missing parameter is reported by the plan, not during a wave', async () => {
  fixture.stored.pop();
  await expect(plan()).rejects.toMatchObject({ code: 2004, facts: { parameter: 'wifi.key' } });
});
