import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { terminalEvent, terminalSession } from '../../src/terminals/data/terminal-tables.ts';
import { RecentOutput } from '../../src/terminals/recent-output.ts';
import { OutputStore, type Output } from '../../src/terminals/store-output.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const output = (session: string, offset: number, text: string): Output => ({
  ...{ kind: 'output' as const, session, offset },
  data: Buffer.from(text).toString('base64'),
});

async function openSession(deviceId: string): Promise<string> {
  const id = newId();
  await db.database.orm.insert(terminalSession).values({
    ...{ id, deviceId, userId: newId(), username: 'someone', reason: 'a test', state: 'open' },
    ...{ columns: 80, rows: 24 },
  });
  return id;
}

const recorded = async (session: string): Promise<string> => {
  const rows = await db.database.orm.select().from(terminalEvent);
  return rows
    .filter(({ sessionId }) => sessionId === session)
    .map(({ data }) => String(data))
    .join('');
};

test('output of many sessions that arrives together is stored in the order of each', async () => {
  const store = new OutputStore(db.database, new RecentOutput());
  const devices = Array.from({ length: 20 }, () => newId());
  const sessions = await Promise.all(devices.map(openSession));
  const texts = ['first ', 'second ', 'third'];
  for (const [index, text] of texts.entries()) {
    const offset = texts.slice(0, index).join('').length;
    await Promise.all(
      sessions.map((session, at) => store.store(devices[at] ?? '', output(session, offset, text))),
    );
  }
  expect(await Promise.all(sessions.map(recorded))).toEqual(sessions.map(() => texts.join('')));
});

test('another device that names a session in the same moment adds nothing, and is not shown', async () => {
  const recent = new RecentOutput();
  const store = new OutputStore(db.database, recent);
  const [own, other, busy] = [newId(), newId(), newId()];
  const session = await openSession(own);
  const busySession = await openSession(busy);
  await store.store(own, output(session, 0, 'own '));
  // The next ones are stored together.
  const holding = store.store(busy, output(busySession, 0, 'busy'));
  const [truth, forged] = await Promise.all([
    store.store(own, output(session, 4, 'truth')),
    store.store(other, output(session, 4, 'forged, and longer')),
    holding,
  ]);
  expect(truth).toMatchObject({ upTo: 9 });
  expect(forged).toBeNull();
  expect(await recorded(session)).toBe('own truth');
  expect(Buffer.from(recent.at(session, 4)?.data ?? []).toString()).not.toContain('forged');
  expect(await store.store(own, output(session, 9, '!'))).toMatchObject({ upTo: 10 });
});
