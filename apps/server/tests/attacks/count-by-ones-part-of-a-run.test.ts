import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunRules } from '@deviceportal/contract/run-rules';
import { openCase } from '../../src/cases/open-case.ts';
import { getRunApproval } from '../../src/commands/approval/get-run-approval.ts';
import { saveRunRules } from '../../src/commands/approval/run-rules.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { waitsBehind } from '../../src/commands/waits-behind.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { callerIn, entriesOf, seedPerson } from '../cases/case-world.ts';
import {
  createCommandWorld,
  origin,
  runInput,
  seedDevices,
  shownDevices,
  viewerWith,
  type CommandWorld,
} from '../support/command-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';

const ana = viewerWith('Administrator');
const ben = viewerWith('Administrator');
const german = viewerWith('Support', { countries: ['DE'], models: [], labels: {} });

let db: TestDatabase;
let world: CommandWorld;
let inGermany: string;
let inFrance: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  world = await createCommandWorld(db.database);
  const countries = ['DE', 'FR', 'FR'];
  [inGermany = '', ...inFrance] = await seedDevices(
    db.database,
    countries.map((country) => ({ country })),
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const restart = (viewer: Viewer, deviceIds: readonly string[], caseId: string | null = null) =>
  runCommand(world.deps, viewer, {
    ...runInput({
      command: 'restart/agent',
      target: { kind: 'devices', deviceIds: [...deviceIds] },
      agreement: shownDevices(deviceIds),
    }),
    ...{ idempotencyKey: randomUUID(), whenBusy: 'queue', origin: { ...origin, caseId } },
  });

test('a person who sees one device of a run is not told who works on the others', async () => {
  const hidden = await restart(ana, inFrance);
  const { id } = await restart(ben, [inGermany, ...inFrance]);
  const asked = (viewer: Viewer, deviceId: string | null) =>
    waitsBehind(world.deps, viewer, { runIds: [id], deviceId });
  expect(await asked(ana, null)).toMatchObject([{ behind: [{ runId: hidden.id, count: 2 }] }]);
  expect(await asked(german, null)).toEqual([]);
  expect(await asked(german, inFrance[0] ?? '')).toEqual([]);
});

test('nor how many devices it had, by the case in which it was sent', async () => {
  const person = await seedPerson(db.database, 'Maria Gomez', ['DE', 'FR', 'FR']);
  const asked = { personId: person.id, ticket: '', about: '' };
  const { id } = await openCase(world.deps, callerIn(ana), asked);
  await restart(ana, person.deviceIds, id);
  const dataFor = async (viewer: Viewer) => (await entriesOf(world.deps, viewer, id)).at(-1)?.data;
  expect(await dataFor(ana)).toMatchObject({ command: 'restart/agent', targets: 3 });
  expect(await dataFor(german)).toMatchObject({ command: 'restart/agent' });
  expect(await dataFor(german)).not.toHaveProperty('targets');
});

test('nor how many devices of it wait for an approval', async () => {
  await saveRunRules(
    world.deps,
    { viewer: ana, ...origin },
    defaultRunRules.map((rule) => ({ ...rule, approvalFrom: 2 })),
  );
  const { id } = await restart(ben, [inGermany, ...inFrance]);
  await db.database.orm.execute(sql`
    update invocation set state = 'Cancelled', ended_at = now()
    where run_id = ${id} and device_id = ${inFrance[0]}`);
  const changesFor = async (viewer: Viewer) =>
    (await getRunApproval(world.deps, viewer, id))?.changes;
  expect(await changesFor(ana)).toMatchObject([{ part: 'devices' }]);
  expect(await changesFor(german)).toEqual([]);
});
