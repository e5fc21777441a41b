import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancelRun } from '../../src/commands/cancel-run.ts';
import { dispatchRun } from '../../src/commands/execution/dispatch-run.ts';
import { findReadyRuns } from '../../src/commands/data/execution/open-work-queries.ts';
import { pauseRun, resumeRun } from '../../src/commands/pause-run.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { withOpenedNames } from '../support/audit/with-opened-names.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const operator = viewerWith('Operator');
const inGermany = viewerWith('Operator', { countries: ['DE'], models: [], labels: {} });

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const startRun = async (countries: readonly string[]) => {
  const deviceIds = await seedDevices(
    test.database,
    countries.map((country) => ({ country })),
  );
  const target = { kind: 'devices' as const, deviceIds };
  return runCommand(
    fixture.deps,
    operator,
    runInput({ command: 'restart/device', target, maxConcurrency: '10' }),
  );
};

const auditOf = async (runId: string, type: string) => {
  const { rows } = await test.database.orm.execute<Record<'device_id' | 'actor_name', string>>(sql`
    select device_id, actor_name from audit_event where run_id = ${runId} and type = ${type}`);
  return withOpenedNames(test.database, rows);
};

it('a paused run sends nothing, shows who paused it, and continues when resumed', async () => {
  const run = await startRun(['DE', 'DE', 'DE']);
  expect((await dispatchRun(test.database, run.id)).claimed).toHaveLength(1);
  const paused = await pauseRun(fixture.deps, operator, { id: run.id, origin });
  expect(paused).toMatchObject({
    state: 'Paused',
    paused: { by: operator.username },
    cancellable: true,
    counters: { pending: 2, inProgress: 1 },
  });
  await test.database.orm.execute(sql`update command_run set ramp_limit = 9 where id = ${run.id}`);
  expect((await dispatchRun(test.database, run.id)).claimed).toEqual([]);
  expect(await findReadyRuns(test.database)).not.toContain(run.id);
  const resumed = await resumeRun(fixture.deps, operator, { id: run.id, origin });
  expect(resumed).toMatchObject({ state: 'InProgress', paused: null });
  expect(fixture.published).toContainEqual({ kind: 'run-resumed', runId: run.id });
  expect(await findReadyRuns(test.database)).toContain(run.id);
  expect((await dispatchRun(test.database, run.id)).claimed).toHaveLength(2);
});

it('every queued device has its audit events, and repeating the action adds none', async () => {
  const run = await startRun(['DE', 'DE', 'DE']);
  await dispatchRun(test.database, run.id);
  for (let turn = 0; turn < 2; turn += 1)
    await pauseRun(fixture.deps, operator, { id: run.id, origin });
  expect(await auditOf(run.id, 'command.paused')).toHaveLength(2);
  for (let turn = 0; turn < 2; turn += 1)
    await resumeRun(fixture.deps, operator, { id: run.id, origin });
  const resumed = await auditOf(run.id, 'command.resumed');
  expect(resumed.map(({ actor_name }) => actor_name)).toEqual([
    operator.username,
    operator.username,
  ]);
});

it('a user whose permission does not cover all queued devices cannot pause it', async () => {
  const run = await startRun(['DE', 'FR']);
  const refused = { code: 1000 };
  await expect(pauseRun(fixture.deps, inGermany, { id: run.id, origin })).rejects.toMatchObject(
    refused,
  );
  await expect(
    pauseRun(fixture.deps, viewerWith('Support'), { id: run.id, origin }),
  ).rejects.toMatchObject(refused);
  expect(await auditOf(run.id, 'command.paused')).toEqual([]);
  expect(await resumeRun(fixture.deps, operator, { id: run.id, origin })).toMatchObject({
    state: 'Pending',
  });
});

it('a paused run can be canceled, and an ended one is neither paused nor resumed', async () => {
  const run = await startRun(['DE', 'DE']);
  await pauseRun(fixture.deps, operator, { id: run.id, origin });
  const over = { state: 'Cancelled', paused: null, counters: { cancelled: 2, pending: 0 } };
  expect(await cancelRun(fixture.deps, operator, { id: run.id, origin })).toMatchObject(over);
  expect(await pauseRun(fixture.deps, operator, { id: run.id, origin })).toMatchObject(over);
  expect(await resumeRun(fixture.deps, operator, { id: run.id, origin })).toMatchObject(over);
});
