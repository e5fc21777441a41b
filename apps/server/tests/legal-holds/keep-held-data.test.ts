import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { endArchiveFiles } from '../../src/audit-trail/data/archive/archive-file-queries.ts';
import { deleteWhatHasEnded } from '../../src/compose/schedule-maintenance.ts';
import type { Composition } from '../../src/compose/composition.ts';
import { removeNote } from '../../src/devices/device-notes.ts';
import type { DevicesDependencies } from '../../src/devices/devices-dependencies.ts';
import { findHoldsOfPerson } from '../../src/legal-holds/data/hold-queries.ts';
import { holdDueErasure } from '../../src/personal-data/data/erasure-queries.ts';
import { deletePositions } from '../../src/locations/data/position-item-queries.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';
import { callerIn } from '../cases/case-fixture.ts';
import { viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { insertRow } from '../support/database/insert-row.ts';

/** Older than every retention. */
const old = new Date('2020-06-15T12:00:00Z');
const later = new Date('2020-06-16T12:00:00Z');
const names = ['held', 'free'] as const;
type Name = (typeof names)[number];

let db: TestDatabase;
let folder = '';
const devices = { held: newId(), free: newId() };
const users = { held: newId(), free: newId() };
const invocations = { held: newId(), free: newId() };
const terminals = { held: newId(), free: newId() };
const webPages = { held: newId(), free: newId() };
const holdId = newId();
const stores = ['artifacts', 'exports', 'userReports', 'software', 'deviceFiles'] as const;

const insert = (table: string, row: Parameters<typeof insertRow>[2]) =>
  insertRow(db.database, table, row);

beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'holds-'));
  for (const store of stores) await mkdir(join(folder, store));
  for (const name of names) await seed(name);
  for (const file of ['exports/export.csv', 'userReports/report.pdf']) await writeOld(file);
  await insert('outgoing_message', { ended_at: old, state: 'sent' });
  await insert('report', { expires_at: old, from_at: old, to_at: later, state: 'ready' });
  await insert('audit_cold_file', {
    ...{ file: '2020-06/a.parquet', month: '2020-06', first_id: newId(), last_id: newId() },
    ...{ first_at: old, last_at: later },
  });
  await insert('legal_hold', { id: holdId, name: 'Case 12', is_limited: 'true', set_at: old });
  for (const [kind, id] of [
    ['device', devices.held],
    ['user', users.held],
  ] as const) {
    await insert('legal_hold_subject', { hold_id: holdId, kind, subject_id: id, is_named: 'true' });
  }
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function writeOld(file: string): Promise<void> {
  await writeFile(join(folder, file), 'x');
  await utimes(join(folder, file), old, old);
}

async function seed(name: Name): Promise<void> {
  const [device_id, user_id, invocationId, runId] = [
    devices[name],
    users[name],
    invocations[name],
    newId(),
  ];
  await insert('device', { id: device_id, name, serial_number: `SN-${name.toUpperCase()}` });
  await insert('api_call', { user_id, at: old });
  await insert('notification', { user_id, at: old, subject: name });
  for (const at of [old, later]) await insert('geolocation', { device_id, at });
  await insert('finding_history', { device_id, closed_at: old });
  for (const at of [old, later]) {
    await insert('device_version_history', { device_id, component: 'app', version: '1', at });
  }
  await insert('device_package_history', { device_id, at: old, before: '1' });
  await insert('command_run', { id: runId, ended_at: old, created_by_id: newId() });
  await insert('invocation', { id: invocationId, run_id: runId, device_id, ended_at: old });
  await insert('invocation_output', { invocation_id: invocationId, stream: 'stdout', text: name });
  await insert('invocation_answer', { invocation_id: invocationId, run_id: runId, device_id });
  await insert('run_answer', { run_id: runId, text: name });
  await insert('invocation_artifact', {
    ...{ invocation_id: invocationId, device_id, storage_key: `${name}.zip`, name: `${name}.zip` },
  });
  const session_id = terminals[name];
  await insert('terminal_session', {
    ...{ id: session_id, device_id, state: 'ended', opened_at: old, ended_at: old, sha256: 'a' },
  });
  await insert('web_page_session', {
    ...{ id: webPages[name], user_id, state: 'ended', opened_at: old, ended_at: old, label: name },
  });
  await insert('terminal_event', { session_id, kind: 'output' });
  await writeOld(`artifacts/${name}.zip`);
}

const retention = {
  ...{ apiCallDays: 30, geolocationDays: 30, invocationOutputDays: 30, exportDays: 30 },
  ...{ softwareHistoryDays: 30, auditTrailHotDays: 30, auditTrailColdDays: 30 },
  ...{ terminalRecordingDays: 30, deviceSessionDays: 30 },
};

const nightly = () =>
  deleteWhatHasEnded({
    clock: () => new Date(),
    platform: {
      database: db.database,
      config: { retention },
      logger: { info: () => {} },
      files: Object.fromEntries(
        stores.map((store) => [store, createDirectoryFiles(join(folder, store))]),
      ),
    } as unknown as Composition['platform'],
  });

const count = async (query: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await db.database.orm.execute<{ rows: number }>(query);
  return rows[0]?.rows ?? 0;
};

const rowsOf = (table: string, column: string, id: string): Promise<number> =>
  count(sql`select count(*)::int as rows from ${sql.identifier(table)}
    where ${sql.identifier(column)}::text = ${id}`);

const all = (table: string): Promise<number> =>
  count(sql`select count(*)::int as rows from ${sql.identifier(table)}`);

const filesIn = (store: string): Promise<string[]> => readdir(join(folder, store));

const deleteMonths = () =>
  inTransaction(db.database, (tx) => endArchiveFiles(tx, new Date('2021-01-01')));

describe('a hold on a device and a user', () => {
  beforeAll(nightly);

  test.each([
    ['locations', 'geolocation', 'device_id', devices, 2],
    ['findings', 'finding_history', 'device_id', devices, 1],
    ['software changes', 'device_version_history', 'device_id', devices, 2],
    ['package changes', 'device_package_history', 'device_id', devices, 1],
    ['output of commands', 'invocation_output', 'invocation_id', invocations, 1],
    ['answers of invocations', 'invocation_answer', 'device_id', devices, 1],
    ['answers of runs', 'run_answer', 'text', { held: 'held', free: 'free' }, 1],
    ['collected files', 'invocation_artifact', 'device_id', devices, 1],
    ['recordings of terminals', 'terminal_event', 'session_id', terminals, 1],
    ['terminal sessions', 'terminal_session', 'id', terminals, 1],
    ['web page sessions', 'web_page_session', 'id', webPages, 1],
    ['API calls', 'api_call', 'user_id', users, 1],
    ['notifications', 'notification', 'user_id', users, 1],
  ])('the nightly deletion keeps %s of the held and deletes those of the free', async (...path) => {
    const [, table, column, ids, kept] = path;
    expect(await rowsOf(table, column, ids.held)).toBe(kept);
    expect(await rowsOf(table, column, ids.free)).toBeLessThan(kept);
  });

  test('the nightly deletion keeps the collected file itself', async () => {
    expect(await filesIn('artifacts')).toEqual(['held.zip']);
  });

  test('exports, reports, and messages are kept, because what they contain is not examined', async () => {
    expect(await filesIn('exports')).toEqual(['export.csv']);
    expect(await filesIn('userReports')).toEqual(['report.pdf']);
    expect(await Promise.all(['report', 'outgoing_message'].map(all))).toEqual([1, 1]);
  });

  test('an archived month of the audit trail is kept as a whole', async () => {
    expect(await deleteMonths()).toEqual([]);
  });

  test('a deletion in the geolocation table does not reach a held device', async () => {
    await insert('geolocation', { device_id: devices.free, at: old });
    await inTransaction(db.database, (tx) =>
      deletePositions(
        tx,
        names.map((name) => ({ key: devices[name], sortKey: old.toISOString() })),
      ),
    );
    expect(await rowsOf('geolocation', 'device_id', devices.held)).toBe(2);
    expect(await rowsOf('geolocation', 'device_id', devices.free)).toBe(0);
  });
});

describe('a hold on a device', () => {
  test('keeps its notes', async () => {
    const [held, free] = [newId(), newId()];
    await insert('device_note', { id: held, device_id: devices.held });
    await insert('device_note', { id: free, device_id: devices.free });
    const remove = (id: string) =>
      removeNote(
        { database: db.database, changes: { publish: () => {} } } as unknown as DevicesDependencies,
        callerIn(viewerWith('Administrator')),
        id,
      );
    await expect(remove(held)).rejects.toMatchObject({ reason: 'data-held' });
    await remove(free);
  });

  test('keeps its owner from being erased, also if the erasure has begun', async () => {
    const [owner, other] = [newId(), newId()];
    for (const id of [owner, other]) await insert('person', { id, username: id });
    await db.database.orm.execute(
      sql`update device set owner_id = ${owner} where id = ${devices.held}`,
    );
    const holdsOf = (id: string) =>
      findHoldsOfPerson(db.database.orm, { userId: null, customerIds: [id] });
    expect(await Promise.all([owner, other].map(holdsOf))).toEqual([['Case 12'], []]);
    for (const id of [owner, other]) {
      await insert('erasure', { id, person_ids: `{${id}}`, due_at: old });
    }
    const due = (id: string) => inTransaction(db.database, (tx) => holdDueErasure(tx, id));
    expect(await due(owner)).toBeUndefined();
    expect(await due(other)).toMatchObject({ id: other });
  });
});

describe('a hold outside the time of the data', () => {
  test('keeps nothing', async () => {
    await db.database.orm.execute(
      sql`update legal_hold set held_from = '2021-01-01' where id = ${holdId}`,
    );
    await insert('finding_history', { device_id: devices.held, closed_at: later });
    await nightly();
    expect(await rowsOf('finding_history', 'device_id', devices.held)).toBe(0);
    await db.database.orm.execute(sql`update legal_hold set held_from = null where id = ${holdId}`);
  });
});

describe('after the hold', () => {
  test('everything is deleted', async () => {
    await db.database.orm.execute(sql`update legal_hold set ended_at = portal_now()`);
    await nightly();
    const tables = [
      ...['api_call', 'notification', 'finding_history', 'invocation_output', 'report'],
      ...['terminal_event', 'terminal_session', 'web_page_session'],
    ];
    expect(await Promise.all(tables.map(all))).toEqual(tables.map(() => 0));
    expect(await Promise.all(['artifacts', 'exports', 'userReports'].map(filesIn))).toEqual([
      [],
      [],
      [],
    ]);
    expect(await deleteMonths()).toMatchObject([{ month: '2020-06' }]);
  });
});
