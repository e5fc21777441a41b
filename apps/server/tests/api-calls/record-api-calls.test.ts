import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { openApiCallJournal } from '../../src/api-calls/api-call-journal.ts';
import { createApiCallRecorder } from '../../src/api-calls/api-call-recorder.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { apiCall } from './api-call.ts';

let db: TestDatabase;
let journalDir: string;
const errors: unknown[] = [];
beforeEach(async () => {
  db = await createTestDatabase();
  journalDir = await mkdtemp(join(tmpdir(), 'deviceportal-calls-'));
  errors.length = 0;
});
afterEach(async () => {
  await db[Symbol.asyncDispose]();
  await rm(journalDir, { recursive: true });
});

const MINUTE_MS = 60_000;
const startRecorder = (database: Database = db.database, aheadMs = 0) =>
  createApiCallRecorder({ database, journalDir, clock: () => Date.now() + aheadMs }, (error) =>
    errors.push(error),
  );
const paths = async (): Promise<string[]> => {
  const { rows } = await db.database.orm.execute<{ path: string }>(
    sql`select path from api_call order by at`,
  );
  return rows.map(({ path }) => path);
};

test('writes the calls that a killed server had recorded once, a minute later', async () => {
  const line = JSON.stringify(apiCall({ path: 'before.kill' }));
  // Left open like by a killed server: not closed and not flushed.
  openApiCallJournal(journalDir).append(line);
  const [file = ''] = await readdir(journalDir);
  await appendFile(join(journalDir, file), '{"id":"torn');
  const next = startRecorder(db.database, 2 * MINUTE_MS);
  next.record(apiCall({ path: 'after.kill', at: '2026-11-02T00:00:00.000Z' }));
  await next[Symbol.asyncDispose]();
  expect(await paths()).toEqual(['before.kill', 'after.kill']);
  expect(await readdir(journalDir)).toEqual([]);

  openApiCallJournal(journalDir).append(line);
  await startRecorder(db.database, 2 * MINUTE_MS)[Symbol.asyncDispose]();
  expect(await paths()).toHaveLength(2);
  expect(errors).toEqual([]);
});

test('keeps calls on disk while the database is unavailable', async () => {
  const orm = { execute: () => Promise.reject(new Error('away')) };
  const without = startRecorder({ ...db.database, orm } as unknown as Database);
  without.record(apiCall({ path: 'while.away' }));
  await without[Symbol.asyncDispose]();
  expect(errors.length).toBeGreaterThan(0);
  expect(await paths()).toEqual([]);
  await startRecorder(db.database, 2 * MINUTE_MS)[Symbol.asyncDispose]();
  expect(await paths()).toEqual(['while.away']);
});

test('leaves the file to which another server with the same directory appends', async () => {
  const other = startRecorder();
  other.record(apiCall({ path: 'before.start', at: '2026-11-01T00:00:00.000Z' }));
  await startRecorder()[Symbol.asyncDispose]();
  other.record(apiCall({ path: 'after.start', at: '2026-11-02T00:00:00.000Z' }));
  await other[Symbol.asyncDispose]();
  expect(await paths()).toEqual(['before.start', 'after.start']);
  expect(errors).toEqual([]);
});
