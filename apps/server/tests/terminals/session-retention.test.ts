import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { deleteEnded } from '../../src/platform/retention.ts';
import { terminalRetention } from '../../src/terminals/data/terminal-retention.ts';
import { webPageRetention } from '../../src/web-pages/data/web-page-retention.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { insertRow } from '../support/database/insert-row.ts';

const DAYS = 365;
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const old = daysAgo(DAYS + 1);
const recent = daysAgo(DAYS - 1);

let portal: TestDatabase;

beforeAll(async () => {
  portal = await createTestDatabase();
});
afterAll(() => portal[Symbol.asyncDispose]());

const left = async (table: string): Promise<string[]> => {
  const { rows } = await portal.database.pool.query<{ reason: string }>(
    `select reason from ${table} order by reason`,
  );
  return rows.map(({ reason }) => reason);
};

test('a terminal session is deleted a year later, but not before its recording', async () => {
  const ended = { state: 'ended', opened_at: old };
  const sealed = { ...ended, sha256: 'a' };
  const expired = { ...sealed, expired_at: old };
  for (const [reason, row] of Object.entries({
    ended: expired,
    'ended recently': { ...expired, opened_at: recent },
    'not sealed': { ...ended, expired_at: old },
    open: { ...expired, state: 'open' },
    recorded: sealed,
  }))
    await insertRow(portal.database, 'terminal_session', { id: newId(), reason, ...row });
  expect(await deleteEnded(portal.database, terminalRetention(DAYS))).toBe(1);
  expect(await left('terminal_session')).toEqual([
    'ended recently',
    'not sealed',
    'open',
    'recorded',
  ]);
});

test('a web page session is deleted a year later', async () => {
  const ended = { state: 'ended', opened_at: old };
  for (const [reason, row] of Object.entries({
    ended,
    'ended recently': { ...ended, opened_at: recent },
    open: { ...ended, state: 'open' },
  })) {
    const id = newId();
    await insertRow(portal.database, 'web_page_session', { id, label: id, reason, ...row });
  }
  expect(await deleteEnded(portal.database, webPageRetention(DAYS))).toBe(1);
  expect(await left('web_page_session')).toEqual(['ended recently', 'open']);
});
