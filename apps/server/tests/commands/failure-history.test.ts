import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import type { StatusDetails } from '@deviceportal/contract/states';
import { systemActor } from '../../src/audit-trail/record-audit.ts';
import { endInvocations } from '../../src/commands/execution/end-invocations.ts';
import type { OpenInvocation } from '../../src/commands/data/execution/open-invocation-queries.ts';
import { previewTarget } from '../../src/commands/target/preview-target.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { runInput, seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const operator = viewerWith('Operator');

let test: TestDatabase;
let fixture: AirBlastFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const devices = (count: number, model: string, country = 'DE') =>
  seedDevices(
    test.database,
    Array.from({ length: count }, () => ({ model, country })),
  );

/** Creates a run on new devices of a model with the given outcomes, in order. */
async function ran(model: string, outcomes: readonly StatusDetails[], country = 'DE') {
  const deviceIds = await devices(outcomes.length, model, country);
  const target = { kind: 'devices' as const, deviceIds };
  const input = runInput({ command: 'restart/agent', target, maxErrors: '100%' });
  await runCommand(fixture.deps, operator, { ...input, maxConcurrency: '100%' });
  await fixture.answer((deviceId) => outcomes[deviceIds.indexOf(deviceId)] ?? 'Success');
}

async function predicted(
  models: Readonly<Record<string, number>>,
  { viewer = operator, command = 'restart/agent' } = {},
) {
  const deviceIds: string[] = [];
  for (const [model, count] of Object.entries(models))
    deviceIds.push(...(await devices(count, model)));
  const target = { kind: 'devices' as const, deviceIds };
  const preview = await previewTarget(fixture.deps, viewer, { command, document: '', target });
  return preview.failures;
}

it('reports no history if no invocation of the version has ended on these models', async () => {
  await ran('H-other', ['Failed']);
  expect(await predicted({ 'H-new': 2 })).toBeNull();
  expect(await predicted({ 'H-other': 1 }, { command: 'logs/tail' })).toBeNull();
});

it('weights the share of each model by its devices, and ignores unreached devices', async () => {
  await ran('H-good', ['Success', 'Success', 'Success', 'Failed', 'Undeliverable']);
  await ran('H-bad', ['Failed', 'Execution Timed Out', 'Cancelled']);
  expect(await predicted({ 'H-good': 8, 'H-bad': 2, 'H-unknown': 5 })).toEqual({
    ...{ invocations: 6, failed: 3, coveredDevices: 10, predictedRate: (8 * 0.25 + 2 * 1) / 10 },
  });
});

it('ignores invocations before the latest 500 of a model', async () => {
  await ran(
    'H-long',
    Array.from({ length: 100 }, () => 'Failed'),
  );
  await ran(
    'H-long',
    Array.from({ length: 500 }, () => 'Success'),
  );
  expect(await predicted({ 'H-long': 1 })).toMatchObject({ invocations: 500, failed: 0 });
});

it('counts the ended invocations of a run in progress', async () => {
  const deviceIds = await devices(3, 'H-open');
  const target = { kind: 'devices' as const, deviceIds };
  const { id } = await runCommand(fixture.deps, operator, {
    ...runInput({ command: 'restart/agent', target, maxErrors: '100%' }),
  });
  const { rows } = await test.database.orm.execute<OpenInvocation & Record<string, unknown>>(sql`
    select id, run_id as "runId", device_id as "deviceId", state from invocation where run_id = ${id} order by id limit 1`);
  await inTransaction(test.database, (tx) =>
    endInvocations(tx, rows, {
      statusDetails: 'Failed',
      audit: 'command.finished',
      actor: systemActor,
    }),
  );
  expect(await predicted({ 'H-open': 1 })).toMatchObject({ invocations: 1, failed: 1 });
});

it('counts devices within the viewer’s scope only', async () => {
  await ran('H-scope', ['Failed'], 'FR');
  await ran('H-scope', ['Success'], 'DE');
  const inGermany = viewerWith('Operator', { ...everywhere, countries: ['DE'] });
  expect(await predicted({ 'H-scope': 1 })).toMatchObject({ invocations: 2, failed: 1 });
  expect(await predicted({ 'H-scope': 1 }, { viewer: inGermany })).toMatchObject({
    ...{ invocations: 1, failed: 0, predictedRate: 0 },
  });
});
