import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import { inTransaction } from '../../src/platform/database/database.ts';
import {
  appendOutput,
  insertTerminal,
  markEnded,
} from '../../src/terminals/data/terminal-queries.ts';
import { deleteExpiredRecordings } from '../../src/terminals/schedule-terminals.ts';
import { RecordingSearches } from '../../src/terminals/search-recordings.ts';
import { origin, viewerHolding } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, seedDevices } from '../support/gateway-fixture.ts';
import { terminalViewer } from './terminal-fixture.ts';

const deviceId = newId();
let portal: TestDatabase;
let searches: RecordingSearches;

beforeAll(async () => {
  portal = await createTestDatabase();
  await seedDevices(portal.database, [
    { deviceId, instanceId: 'i-0123456789abcdef0', name: 'device', country: 'DE' },
  ]);
  searches = new RecordingSearches(portal);
});
afterAll(() => portal[Symbol.asyncDispose]());

/** A session with this output, `daysAgo` days before now. */
async function record(daysAgo: number, outputs: readonly (string | Buffer)[]): Promise<string> {
  const id = newId();
  const { database } = portal;
  await inTransaction(database, async (tx) => {
    await insertTerminal(tx, {
      ...{ id, deviceId, userId: newId(), username: 'someone', signInId: null },
      ...{ reason: 'a test', columns: 80, rows: 24 },
    });
    let position = 0;
    for (const output of outputs) {
      const data = Buffer.from(output as string);
      await appendOutput(tx, { id, position, data });
      position += data.length;
    }
  });
  await markEnded(database.orm, { id, reason: 'exited' });
  await database.pool.query(
    `update terminal_session set opened_at = now() - make_interval(days => $2) where id = $1`,
    [id, daysAgo],
  );
  return id;
}

const caller = { ...origin, viewer: terminalViewer(['terminal:replay']) };
const search = (text: string, before: string | null = null) =>
  searches.search(caller, { deviceId, text, before });

test('the recordings that contain a text are found through escape sequences, newest first', async () => {
  const typed = await record(2, ['$ ', 'c', 'a\u001b[1', ';32mt ', '/etc/h\u001b[0mosts\r\n']);
  const colored = await record(1, ['\u001b[1mCat\u001b[0m /etc/hosts']);
  await record(0, ['cat /etc/\r\nhosts']);
  const divided = Buffer.from('größe é');
  const accented = await record(3, [divided.subarray(0, 3), divided.subarray(3)]);
  const found = await search('cat /ETC/hosts');
  expect(found.sessions.map(({ id }) => id)).toEqual([colored, typed]);
  expect(found).toMatchObject({ searched: 4, before: null });
  expect((await search('GRÖSSE')).sessions).toEqual([]);
  expect((await search('GRÖßE')).sessions.map(({ id }) => id)).toEqual([accented]);
});

test('a search ends after an amount of output and can be continued, and other work runs', async () => {
  const line = `${'x'.repeat(1_022)}\r\n`;
  const chunk = line.repeat(512);
  const needle = newId();
  for (let made = 0; made < 3; made += 1)
    await record(10 + made, [...Array.from({ length: 18 }, () => chunk), needle]);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const ids: string[] = [];
  let before: string | null = null;
  let calls = 0;
  do {
    const found: Awaited<ReturnType<typeof search>> = await search(needle, before);
    ids.push(...found.sessions.map(({ id }) => id));
    before = found.before;
    calls += 1;
  } while (before !== null);
  clearInterval(timer);
  expect(new Set(ids).size).toBe(3);
  expect(calls).toBe(2);
  // At least once for each chunk of two recordings.
  expect(turns).toBeGreaterThan(36);
}, 60_000);

test('one user has one search at a time', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => search('needle-in')));
  const done = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(done).toHaveLength(1);
  expect(outcomes.filter(({ status }) => status === 'rejected')[0]).toMatchObject({
    reason: { reason: 'recording-search-busy' },
  });
}, 60_000);

test('without the permission for the device nothing is found, and deleted recordings are not searched', async () => {
  const id = await record(400, ['old-secret-word']);
  expect((await search('old-secret', null)).before).not.toBeNull();
  for (const viewer of [
    terminalViewer(['terminal:open', 'terminal:watch']),
    viewerHolding([
      { permissions: ['terminal:replay'], scope: { ...everywhere, countries: ['NO'] } },
    ]),
  ])
    await expect(
      searches.search({ ...origin, viewer }, { deviceId, text: 'old-secret', before: null }),
    ).rejects.toMatchObject({ code: 6000 });
  await deleteExpiredRecordings(portal.database, { days: 300 });
  let before: string | null = null;
  do {
    const found: Awaited<ReturnType<typeof search>> = await search('old-secret', before);
    expect(found.sessions.map((session) => session.id)).not.toContain(id);
    before = found.before;
  } while (before !== null);
}, 60_000);

test('a search is in the audit trail, without the text', async () => {
  await search('a-secret-text');
  const events = await rowsOf<{ data: object }>(
    portal.database,
    `select data from audit_event where type = 'terminal.recordings-searched' order by id desc limit 1`,
  );
  expect(events).toHaveLength(1);
  expect(JSON.stringify(events)).not.toContain('a-secret-text');
  expect(events[0]?.data).toMatchObject({ found: 0 });
});
