import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CaseDetail, CaseEntry } from '@deviceportal/contract/cases';
import { CASE_HEADER } from '@deviceportal/contract/constants';
import type { Page } from '@deviceportal/contract/pages';
import type { RunDetail } from '@deviceportal/contract/runs';
import { mutate, query } from '../support/portal-api.ts';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';
import { seedPerson, type SeededPerson } from './case-fixture.ts';

let portal: TestServer;
let database: Database;
let support: string;
let admin: string;
let person: SeededPerson;

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  [support, admin] = await Promise.all([portal.signIn('support'), portal.signIn('admin')]);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const inCase = (caseId: string) => ({ [CASE_HEADER]: caseId });

async function ask<Answer>(
  path: string,
  input: unknown,
  { caseId, token = support }: { caseId?: string; token?: string } = {},
): Promise<Answer> {
  const headers = caseId === undefined ? {} : inCase(caseId);
  const answer = await query(portal.url, { path, input, token, headers });
  return answer.data as Answer;
}

async function act<Answer>(
  path: string,
  input: unknown,
  { caseId, token = support }: { caseId?: string; token?: string } = {},
): Promise<Answer> {
  const headers = caseId === undefined ? {} : inCase(caseId);
  const answer = await mutate(portal.url, { path, input, token, headers });
  expect(answer.status).toBe(200);
  return answer.data as Answer;
}

async function openCase(): Promise<CaseDetail> {
  person = await seedPerson(database, 'Maria Gomez');
  return act('cases.open', { personId: person.id });
}

const kindsIn = async (caseId: string): Promise<string[]> =>
  (await entriesIn(caseId)).map(({ kind }) => kind);

async function entriesIn(caseId: string): Promise<CaseEntry[]> {
  const page = await ask<Page<CaseEntry>>('cases.listEntries', { caseId, pageSize: 100 });
  return page.rows.toReversed();
}

/** The start of a read-only command, as sent by the portal. */
const command = (deviceId: string) => ({
  command: 'logs/tail',
  target: { kind: 'devices', deviceIds: [deviceId] },
  parameters: {},
  idempotencyKey: randomUUID(),
});

test('records look-ups in a case once, however often the screen polls', async () => {
  const { id } = await openCase();
  const [device = ''] = person.deviceIds;
  for (let asked = 0; asked < 3; asked += 1) await ask('devices.get', { device }, { caseId: id });
  await ask('people.get', { id: person.id }, { caseId: id });
  await ask('locations.deviceTrack', { deviceId: device, limit: 10 }, { caseId: id });
  await expect
    .poll(() => kindsIn(id).then((kinds) => kinds.toSorted()), { timeout: 20_000 })
    .toEqual(['device-viewed', 'location-viewed', 'opened', 'person-viewed']);
  const looked = (await entriesIn(id)).find(({ kind }) => kind === 'device-viewed');
  expect(looked).toMatchObject({ deviceId: device, deviceName: 'Maria Gomez in DE', mine: true });
});

test('binds a command with its state, and other actions, to the case', async () => {
  const { id } = await openCase();
  const [device = ''] = person.deviceIds;
  const run = await act<RunDetail>('commands.run', command(device), { caseId: id });
  await act('devices.addNote', { deviceId: device, text: 'seen' }, { caseId: id });
  expect(await entriesIn(id)).toMatchObject([
    { kind: 'opened' },
    {
      kind: 'command',
      runId: run.id,
      deviceId: device,
      run: { command: 'logs/tail', counters: { target: 1 } },
    },
    { kind: 'act', deviceId: device, data: { type: 'device.note-added' } },
  ]);
  const kept = await database.orm.execute(
    sql`select case_id as "caseId" from command_run where id = ${run.id}`,
  );
  expect(kept.rows).toEqual([{ caseId: id }]);
  const events = await database.orm.execute(sql`
    select distinct type from audit_event where case_id = ${id} order by type`);
  expect(events.rows.map((row) => row['type'])).toEqual([
    'case.opened',
    'command.requested',
    'device.note-added',
  ]);
});

test('binds nothing without a case, in another user’s case, or in a closed one', async () => {
  const { id } = await openCase();
  const [device = ''] = person.deviceIds;
  const run = (how: { caseId?: string; token?: string }) =>
    act<RunDetail>('commands.run', command(device), how);
  await run({});
  await run({ caseId: id, token: admin });
  await run({ caseId: 'no id' });
  await act('cases.close', { id, outcome: 'resolved' });
  await run({ caseId: id });
  expect(await kindsIn(id)).toEqual(['opened', 'closed']);
});

test('binds the actions of a user who has joined the case', async () => {
  const { id } = await openCase();
  const [device = ''] = person.deviceIds;
  await act('cases.enter', { id }, { token: admin });
  const run = await act<RunDetail>('commands.run', command(device), { caseId: id, token: admin });
  expect(await entriesIn(id)).toMatchObject([
    { kind: 'opened', mine: true },
    { kind: 'joined', mine: false },
    { kind: 'command', mine: false, runId: run.id },
  ]);
});
