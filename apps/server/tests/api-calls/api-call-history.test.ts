import { sql } from 'drizzle-orm';
import { apiCallHistoryInput, listApiCallsInput } from '@deviceportal/contract/api-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findApiCalls } from '../../src/api-calls/data/find-api-calls.ts';
import { insertApiCalls } from '../../src/api-calls/data/insert-api-calls.ts';
import { getApiCallHistory, stepLengthOf } from '../../src/api-calls/get-api-call-history.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { apiCall } from './api-call.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  const calls = [
    ...[10, 20, 30].map((durationMs) => apiCall({ at: '2026-11-01T10:00:20.000Z', durationMs })),
    apiCall({
      at: '2026-11-01T10:02:59.999Z',
      durationMs: 900,
      errorCode: 2003,
      path: 'devices.get',
    }),
    apiCall({
      at: '2026-11-01T10:03:00.000Z',
      durationMs: 5,
      errorCode: 1000,
      path: 'devices.get',
    }),
  ];
  await insertApiCalls(
    db.database.orm,
    calls.map((call) => JSON.stringify(call)),
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const range = { from: '2026-11-01T10:00:00Z', to: '2026-11-01T10:03:30Z' };
const history = (filter: object) =>
  getApiCallHistory(
    db.database.orm,
    { ...apiCallHistoryInput.parse({ range, ...filter }), sight: sql`true` },
    0,
  );

test('returns every step of a time range with calls, errors, and percentiles', async () => {
  const { stepMs, steps } = await history({});
  expect(stepMs).toBe(60_000);
  expect(steps.map(({ at, calls, errors }) => [at, calls, errors])).toEqual([
    ['2026-11-01T10:00:00Z', 3, 0],
    ['2026-11-01T10:01:00Z', 0, 0],
    ['2026-11-01T10:02:00Z', 1, 1],
    ['2026-11-01T10:03:00Z', 1, 1],
  ]);
  expect(steps[0]).toMatchObject({ medianMs: 20, p95Ms: 29, p99Ms: 29.8 });
  expect(steps[1]).toMatchObject({ medianMs: null, p95Ms: null, p99Ms: null });
});

test('applies the same filter to the list and the history', async () => {
  for (const [filter, expected] of [
    [{ minDurationMs: 20 }, 3],
    [{ errorCode: 2003 }, 1],
    [{ onlyErrors: true }, 2],
    [{ path: 'devices.get', minDurationMs: 6 }, 1],
  ] as const) {
    const { steps } = await history(filter);
    const list = await findApiCalls(db.database.orm, {
      ...listApiCallsInput.parse(filter),
      ...range,
      sight: sql`true`,
      before: null,
      limit: 100,
    });
    expect(list, JSON.stringify(filter)).toHaveLength(expected);
    expect(steps.reduce((sum, { calls }) => sum + calls, 0)).toBe(expected);
  }
});

test('divides a time range of any length into at most 101 steps', () => {
  for (const hours of [0.25, 1, 24, 168, 720, 100_000]) {
    const periodMs = hours * 3_600_000;
    expect(periodMs / stepLengthOf(periodMs)).toBeLessThanOrEqual(100);
  }
});
