import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createLocalChangeFeed, type Change } from '../../src/platform/change-feed.ts';
import {
  inTransaction,
  openBeside,
  openDatabase,
  type Database,
} from '../../src/platform/database/database.ts';
import {
  RotatedCredentials,
  type DatabaseCredentials,
  type RotatedCredentialsOptions,
} from '../../src/platform/database/connections/rotated-credentials.ts';
import { holdSessionLock } from '../../src/platform/database/connections/session-lock.ts';
import { defineJob } from '../../src/platform/jobs/job.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { openSharedChangeFeed } from '../../src/platform/shared-change-feed.ts';
import {
  startPasswordDatabase,
  type PasswordDatabase,
} from '../support/database/password-database.ts';

let server: PasswordDatabase;
beforeAll(async () => {
  server = await startPasswordDatabase();
  await server.addRole('portal');
  await server.addRole('portal_clone');
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

let secret: DatabaseCredentials;
let reads: number;
beforeEach(async () => {
  secret = { user: 'portal', password: await server.setPassword('portal') };
  reads = 0;
});

const read = async (): Promise<DatabaseCredentials> => {
  reads += 1;
  return secret;
};

function open(options: Partial<RotatedCredentialsOptions> = {}): Database {
  const credentials = new RotatedCredentials({ read, onError: () => {}, ...options });
  const connection = { host: server.host, database: server.name, ssl: false };
  const database = openDatabase({ access: { connection, credentials }, maxConnections: 6 });
  // Every connection is used twice, so that new ones are opened all the time.
  database.pool.options.maxUses = 2;
  return database;
}

/** The database knows the new password before the secret does, for as long as it takes to notice. */
async function rotate(user = secret.user): Promise<void> {
  const before = reads;
  const next = { user, password: await server.setPassword(user) };
  if (user === secret.user) await vi.waitUntil(() => reads > before, { timeout: 20_000 });
  secret = next;
}

describe('a password that is rotated under load', () => {
  it('fails no statement, transaction, or job in ten rotations, and is not read for each connection', async () => {
    await using database = open();
    const done: number[] = [];
    const job = defineJob(
      'rotation-test',
      z.object({ index: z.number() }),
      async ({ index }) => void done.push(index),
      { pollingSeconds: 0.5, concurrency: 2 },
    );
    const warnings: string[] = [];
    await using jobs = createJobs({
      database,
      logger: createLogger({ logLevel: 'warn' }, { write: (line) => void warnings.push(line) }),
      metrics: createMetrics(),
      work: true,
    });
    jobs.define(job);
    await jobs.start();
    const stopping = new AbortController();
    let statements = 0;
    const load = Array.from({ length: 8 }, async (_, worker) => {
      while (!stopping.signal.aborted) {
        await database.pool.query('select 1');
        await inTransaction(database, (tx) => tx.execute('select 2'));
        await openBeside(database).execute('select 3');
        statements += 3;
      }
      return worker;
    });
    for (let rotation = 0; rotation < 10; rotation += 1) {
      await jobs.send(job, { index: rotation });
      await rotate();
      const before = statements;
      await vi.waitUntil(() => statements > before + 30, { timeout: 20_000 });
    }
    stopping.abort();
    expect(await Promise.all(load)).toHaveLength(8);
    await vi.waitUntil(() => done.length === 10, { timeout: 20_000 });
    expect(warnings).toEqual([]);
    expect(statements).toBeGreaterThan(300);
    expect(reads).toBeLessThan(statements / 3);
  }, 120_000);

  it('is taken over with its user, as by a rotation that alternates between two', async () => {
    await using database = open();
    const userOf = async () =>
      (await database.pool.query<{ user: string }>('select current_user as user')).rows[0]?.user;
    expect(await userOf()).toBe('portal');
    await rotate('portal_clone');
    await server.setPassword('portal');
    await vi.waitUntil(async () => (await userOf()) === 'portal_clone', { timeout: 20_000 });
  });

  it('lets notifications and locks connect again', async () => {
    await using database = open();
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const local = createLocalChangeFeed(onError);
    await using feed = await openSharedChangeFeed({ local, database, onError });
    await using lock = await holdSessionLock({
      ...{ database, name: 'rotation test', onError },
      onLost: (holder) => onError(holder),
    });
    const heard: Change[] = [];
    feed.subscribe((change) => heard.push(change));
    secret = { user: 'portal', password: await server.setPassword('portal') };
    await server.owner.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'portal'",
    );
    const listening = async () => {
      const { rows } = await server.owner.pool.query(
        "select from pg_stat_activity where application_name = 'device-portal changes' and query like 'listen %'",
      );
      return rows.length === 1;
    };
    await vi.waitUntil(listening, { timeout: 20_000 });
    await vi.waitUntil(() => lock.isHeld, { timeout: 20_000 });
    // Of the connections that were ended, not of the password.
    expect(errors.map(String).filter((error) => /password/.test(error))).toEqual([]);
  }, 60_000);
});

describe('a password that stays wrong', () => {
  it('fails with the answer of the database, after a few common reads', async () => {
    secret = { user: 'portal', password: 'of yesterday' };
    await using database = open({ waitMs: 300 });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => database.pool.query('select 1')),
    );
    const codes = results.map((result) =>
      result.status === 'rejected' ? (result.reason as { code?: string }).code : 'connected',
    );
    expect(new Set(codes)).toEqual(new Set(['28P01']));
    // Six connections at a time: the first reading, and about three for each batch.
    expect(reads).toBeLessThan(40);
  });

  it('is found again when the secret is corrected', async () => {
    const right = secret;
    secret = { user: 'portal', password: 'of yesterday' };
    await using database = open({ waitMs: 100 });
    await expect(database.pool.query('select 1')).rejects.toMatchObject({ code: '28P01' });
    secret = right;
    expect((await database.pool.query('select 1')).rowCount).toBe(1);
  });
});

describe('a token that is valid for a while', () => {
  it('is created again when it is old, and kept while that fails', async () => {
    let token: DatabaseCredentials | undefined;
    const errors: unknown[] = [];
    await using database = open({
      maxAgeMs: 0,
      async read() {
        reads += 1;
        if (token === undefined) throw new Error('no answer');
        return token;
      },
      onError: (error) => void errors.push(error),
    });
    await expect(database.pool.query('select 1')).rejects.toThrow('no answer');
    token = secret;
    await database.pool.query('select 1');
    const before = reads;
    await database.pool.query('select 1');
    expect(reads).toBeGreaterThan(before);
    expect(errors).toEqual([]);
    token = undefined;
    expect((await database.pool.query('select 1')).rowCount).toBe(1);
    expect(errors.map(String)).toContain('Error: no answer');
  });
});
