import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunRules } from '@deviceportal/contract/run-rules';
import type { ExplainInput } from '@deviceportal/contract/explanations';
import { openCaseInput } from '@deviceportal/contract/cases';
import { newId } from '@deviceportal/contract/ids';
import { openCase } from '../../../src/cases/open-case.ts';
import { getRunApproval } from '../../../src/commands/approval/get-run-approval.ts';
import { saveRunRules } from '../../../src/commands/approval/run-rules.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import { findQueuedBehindOf } from '../../../src/commands/locks/queued-behind.ts';
import { explain } from '../../../src/explanations/explain.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { callerIn, entriesOf, seedPerson } from '../../cases/case-fixture.ts';
import { createAirBlastFixture } from '../../support/air-blast/air-blast-fixture.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  shownDevices,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const ana = viewerWith('Administrator');
const ben = viewerWith('Administrator');
const german = viewerWith('Support', { countries: ['DE'], models: [], labels: {} });

let db: TestDatabase;
let fixture: CommandFixture;
let inGermany: string;
let inFrance: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
  const countries = ['DE', 'FR', 'FR'];
  [inGermany = '', ...inFrance] = await seedDevices(
    db.database,
    countries.map((country) => ({ country })),
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const restart = (viewer: Viewer, deviceIds: readonly string[], caseId: string | null = null) =>
  runCommand(fixture.deps, viewer, {
    ...runInput({
      command: 'restart/agent',
      target: { kind: 'devices', deviceIds: [...deviceIds] },
      agreement: shownDevices(deviceIds),
    }),
    ...{ idempotencyKey: randomUUID(), whenLocked: 'queue', origin: { ...origin, caseId } },
  });

test('a user who sees one device of a run cannot see who works on the others', async () => {
  const hidden = await restart(ana, inFrance);
  const { id } = await restart(ben, [inGermany, ...inFrance]);
  const asked = (viewer: Viewer, deviceId: string | null) =>
    findQueuedBehindOf(fixture.deps, viewer, { runIds: [id], deviceId });
  expect(await asked(ana, null)).toMatchObject([{ behind: [{ runId: hidden.id, count: 2 }] }]);
  expect(await asked(german, null)).toEqual([]);
  expect(await asked(german, inFrance[0] ?? '')).toEqual([]);
});

test('nor how many devices it had, by the case in which it was sent', async () => {
  const person = await seedPerson(db.database, 'Maria Gomez', ['DE', 'FR', 'FR']);
  const asked = openCaseInput.parse({ personId: person.id });
  const { id } = await openCase(fixture.deps, callerIn(ana), asked);
  await restart(ana, person.deviceIds, id);
  const dataFor = async (viewer: Viewer) =>
    (await entriesOf(fixture.deps, viewer, id)).at(-1)?.data;
  expect(await dataFor(ana)).toMatchObject({ command: 'restart/agent', targets: 3 });
  expect(await dataFor(german)).toMatchObject({ command: 'restart/agent' });
  expect(await dataFor(german)).not.toHaveProperty('targets');
});

test('nor how many commands are ahead or in progress, by the reasons for which its command is queued', async () => {
  const wide = await createAirBlastFixture(db.database);
  const [own = '', ...others] = await seedDevices(
    db.database,
    ['DE', ...Array.from({ length: 9 }, () => 'FR')].map((country, index) => ({
      country,
      // Last in the order of ids.
      id: index === 0 ? 'ffffffff-ffff-7fff-bfff-ffffffffffff' : newId(),
    })),
  );
  const deviceIds = [own, ...others];
  const { id } = await runCommand(fixture.deps, ana, {
    ...runInput({
      command: 'restart/agent',
      target: { kind: 'devices', deviceIds },
      maxConcurrency: '30%',
      maxErrors: '100%',
    }),
    ...{ whenLocked: 'queue' },
  });
  await db.database.orm.execute(sql`
    update invocation set state = 'InProgress', sent_at = now(), started_at = now()
    where run_id = ${id} and device_id = any(${sql.param(others.slice(0, 3))}::uuid[])`);
  await db.database.orm.execute(sql`
    update command_run set in_progress_count = 3, pending_count = 7, ramp_limit = 4 where id = ${id}`);
  const { rows } = await db.database.orm.execute<{ id: string }>(
    sql`select id from invocation where run_id = ${id} and device_id = ${own}`,
  );
  const invocation = rows[0]?.id ?? '';
  const why = async (viewer: Viewer, input: ExplainInput) =>
    (await explain(wide.deps, viewer, input)).flatMap(({ reasons }) => reasons);
  const waits = (viewer: Viewer) => why(viewer, { kind: 'invocation', id: invocation });
  expect(await waits(ana)).toMatchObject([
    { code: 'turn-not-reached', facts: { ahead: 6, running: 3, places: 3 } },
  ]);
  expect(await waits(german)).toMatchObject([
    { code: 'turn-not-reached', facts: { ahead: 0, running: 0, places: 1 } },
  ]);
  await db.database.orm.execute(sql`
    update command_run set ramp_limit = 2, max_concurrency = '7' where id = ${id}`);
  const whole = await why(ana, { kind: 'run', id });
  expect(whole.at(-1)?.facts).toMatchObject({ places: 2, limit: 7, ramps: 1 });
  const part = await why(german, { kind: 'run', id });
  expect(part.at(-1)?.facts).toMatchObject({ count: 1, places: 7, ramps: 0 });
});

test('nor how many of its devices require approval', async () => {
  await saveRunRules(
    fixture.deps,
    { viewer: ana, ...origin },
    defaultRunRules.map((rule) => ({ ...rule, approvalFrom: 2 })),
  );
  const { id } = await restart(ben, [inGermany, ...inFrance]);
  await db.database.orm.execute(sql`
    update invocation set state = 'Cancelled', ended_at = now()
    where run_id = ${id} and device_id = ${inFrance[0]}`);
  const changesFor = async (viewer: Viewer) =>
    (await getRunApproval(fixture.deps, viewer, id))?.changes;
  expect(await changesFor(ana)).toMatchObject([{ part: 'devices' }]);
  expect(await changesFor(german)).toEqual([]);
});
