import { afterEach, expect, test } from 'vitest';
import { lacks } from './parts/parts.ts';
import {
  startAthenaFront,
  type AthenaFront,
  type AthenaLimits,
  type RunQuery,
} from './parts/athena-front.ts';

const isMissing = lacks();
const fronts: AthenaFront[] = [];
afterEach(async () => {
  for (const front of fronts.splice(0)) await front[Symbol.asyncDispose]();
});

async function open(run: RunQuery, limits?: AthenaLimits) {
  const front = await startAthenaFront(run, limits);
  fronts.push(front);
  const { createAthenaQueries } = await import('../src/athena.ts');
  const { endpoint, region, credentials } = front;
  const options = { endpoint, region, credentials, workgroup: 'portal' };
  return { front, runQuery: createAthenaQueries(options) };
}

const rows = Array.from({ length: 5 }, (_, index) => [String(index), index % 2 === 0 ? '' : null]);
const question = { sql: 'select 1', values: [], limitMs: 60_000 };

/** Runs until it is stopped. */
const endless: RunQuery = (_query, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test.skipIf(isMissing)('rows of all pages are read once, with nulls and empty texts', async () => {
  const run: RunQuery = async () => ({ columns: ['a', 'b'], rows });
  const { runQuery, front } = await open(run, { bytes: Infinity, rowsPerPage: 2 });
  const outcome = await runQuery({ ...question, values: ["it's 'x' %", '设备'] });
  if (outcome.ended !== 'succeeded') throw new Error(outcome.reason);
  const pages = [];
  for await (const page of outcome.pages) pages.push(page);
  expect(pages.flat()).toEqual(rows);
  expect(pages).toHaveLength(3);
  expect(front.executions).toMatchObject([
    { workgroup: 'portal', sql: 'select 1', parameters: ["'it''s ''x'' %'", "'设备'"] },
  ]);
});

test.skipIf(isMissing)('a query stops when its caller leaves', async () => {
  const { runQuery, front } = await open(endless);
  const caller = new AbortController();
  const outcome = runQuery(question, caller.signal);
  await expect.poll(() => front.executions.length).toBe(1);
  caller.abort(new Error('left'));
  await expect(outcome).rejects.toThrow('left');
  await expect.poll(() => front.executions[0]?.state).toBe('CANCELLED');
});

test.skipIf(isMissing)('a query stops at its time limit', async () => {
  const { runQuery, front } = await open(endless);
  expect(await runQuery({ ...question, limitMs: 1 })).toMatchObject({ ended: 'too-slow' });
  await expect.poll(() => front.executions[0]?.state).toBe('CANCELLED');
});

test.skipIf(isMissing)(
  'a query that reads too much and a failed query are told apart',
  async () => {
    const reading: RunQuery = (query, watch) => {
      queueMicrotask(() => watch.onBytes(11));
      return endless(query, watch);
    };
    const { runQuery } = await open(reading, { bytes: 10, rowsPerPage: 1_000 });
    expect(await runQuery(question)).toMatchObject({ ended: 'too-much-data' });
    const failing = await open(() => Promise.reject(new Error('TABLE_NOT_FOUND')));
    expect(await failing.runQuery(question)).toEqual({
      ended: 'failed',
      reason: 'TABLE_NOT_FOUND',
    });
  },
);
