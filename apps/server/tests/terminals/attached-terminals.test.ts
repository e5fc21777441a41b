import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { keepAttached } from '../../src/terminals/data/attached-queries.ts';
import { endSession } from '../../src/terminals/end-terminal.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { openTerminalFixture, type TerminalFixture, type TestBrowser } from './terminal-fixture.ts';

let fixture: TerminalFixture;

beforeAll(async () => {
  fixture = await openTerminalFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(async () => {
  const open = await rowsOf<{ id: string }>(
    fixture.setup.database,
    `select id from terminal_session where state <> 'ended'`,
  );
  for (const { id } of open) await endSession(fixture.deps, { id, reason: 'closed' });
});

async function openShell(): Promise<{ sessionId: string; browser: TestBrowser }> {
  const sessionId = await fixture.open();
  const browser = fixture.attach(sessionId);
  await until(() => browser.isOpen && browser.text.includes('$ '));
  return { sessionId, browser };
}

/** Written by another server whose notification is lost. */
const write = (statement: string, sessionId: string) =>
  rowsOf(fixture.setup.database, statement, [sessionId]);

test('without a notification, a browser finds that its session has ended', async () => {
  const { sessionId, browser } = await openShell();
  await write(
    `update terminal_session set state = 'ended', end_reason = 'idle', ended_at = now() where id = $1`,
    sessionId,
  );
  expect(await until(() => browser.ending)).toMatchObject({ reason: 'idle' });
});

test('without a notification, a browser shows who watches, and what was recorded', async () => {
  const { sessionId, browser } = await openShell();
  await write(
    `insert into terminal_watcher (id, session_id, user_id, username)
     select gen_random_uuid(), id, user_id, 'second-person' from terminal_session where id = $1`,
    sessionId,
  );
  await write(
    `with event as (
       insert into terminal_event (session_id, kind, position, after_ms, data)
       select id, 'output', recorded_bytes, 1, 'from elsewhere' from terminal_session where id = $1)
     update terminal_session set recorded_bytes = recorded_bytes + 14 where id = $1`,
    sessionId,
  );
  await until(() => browser.watchers.includes('second-person'));
  await until(() => browser.text.includes('from elsewhere'));
});

test('a session that another server has taken over is released', async () => {
  const { sessionId, browser } = await openShell();
  await write(`update terminal_session set attachment = attachment + 1 where id = $1`, sessionId);
  await until(() => browser.closeCode !== undefined);
  expect(browser.ending).toBeUndefined();
});

test('only the attachment that holds a session keeps it', async () => {
  // Without a browser, no server keeps it.
  const sessionId = await fixture.open();
  const { database } = fixture.setup;
  const [{ attachment } = { attachment: -1 }] = await rowsOf<{ attachment: number }>(
    database,
    `update terminal_session set seen_at = now() - interval '1 hour' where id = $1 returning attachment`,
    [sessionId],
  );
  const isKept = async () => {
    const [found] = await rowsOf<{ is_kept: boolean }>(
      database,
      `select seen_at > now() - interval '1 minute' as is_kept from terminal_session where id = $1`,
      [sessionId],
    );
    return found?.is_kept;
  };
  const ask = (asking: number) =>
    keepAttached(database.orm, [
      { id: sessionId, attachment: asking },
      { id: crypto.randomUUID(), attachment: 1 },
    ]);
  expect((await ask(attachment + 7)).get(sessionId)).toMatchObject({ attachment });
  expect(await isKept()).toBe(false);
  const found = await ask(attachment);
  expect([...found.keys()]).toEqual([sessionId]);
  expect(found.get(sessionId)).toMatchObject({ isOffered: true, watchers: [] });
  expect(await isKept()).toBe(true);
});
