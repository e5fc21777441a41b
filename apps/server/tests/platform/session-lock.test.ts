import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  holdSessionLock,
  LockHeldError,
} from '../../src/platform/database/connections/session-lock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const lost: string[] = [];
const hold = (name: string) =>
  holdSessionLock({
    database: db.database,
    name,
    waitMs: 0,
    onLost: (holder) => lost.push(holder),
    onError: () => {},
  });
/** Ends the connection of this server's lock, and no other. */
const endSession = (name: string) =>
  db.owner.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name like $1',
    [`device-portal ${name} %:${process.pid} %`],
  );

async function sessionOf(name: string): Promise<number | undefined> {
  const { rows } = await db.owner.pool.query<{ pid: number }>(
    `select pid from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and application_name like $1`,
    [`device-portal ${name} %`],
  );
  return rows[0]?.pid;
}

test('rejects a second holder, names the first, and is free again after its end', async () => {
  const first = await hold('one');
  await expect(hold('one')).rejects.toThrow(new RegExp(`held by \\S+:${process.pid}$`));
  await using other = await hold('two');
  expect(other.isHeld).toBe(true);
  await first[Symbol.asyncDispose]();
  expect(first.isHeld).toBe(false);
  await using next = await hold('one');
  expect(next.isHeld).toBe(true);
});

test('is claimed again after its connection was lost', async () => {
  await using lock = await hold('again');
  const before = await sessionOf('again');
  await endSession('again');
  await vi.waitFor(async () => {
    const now = await sessionOf('again');
    expect(now).toEqual(expect.any(Number));
    expect(now).not.toBe(before);
    expect(lock.isHeld).toBe(true);
  }, 10_000);
  await expect(hold('again')).rejects.toThrow(LockHeldError);
});

test('reports that another server took it while the connection was lost', async () => {
  await using lock = await hold('taken');
  const client = await db.owner.pool.connect();
  try {
    await client.query("set application_name = 'device-portal taken elsewhere:7'");
    const taking = client.query("select pg_advisory_lock(hashtext('taken'))");
    await endSession('taken');
    await taking;
    await vi.waitFor(() => expect(lost).toEqual(['elsewhere:7']), 5_000);
    expect(lock.isHeld).toBe(false);
  } finally {
    client.release(true);
  }
});
