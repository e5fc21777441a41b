import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { inTransaction } from '../src/platform/database/database.ts';
import { defineJob } from '../src/platform/jobs/job.ts';
import { createJobs } from '../src/platform/jobs/jobs.ts';
import { createLogger } from '../src/platform/logging.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { createTestDatabase, type TestDatabase } from './support/database/create-test-database.ts';

let testDatabase: TestDatabase;
const done: string[] = [];
let failures = 0;

const note = defineJob(
  'test-note',
  z.object({ text: z.string() }),
  async ({ text }) => void done.push(text),
  { pollingSeconds: 0.5 },
);
const flaky = defineJob(
  'test-flaky',
  z.object({}),
  async () => {
    failures += 1;
    if (failures === 1) throw new Error('not yet');
    done.push('flaky');
  },
  { pollingSeconds: 0.5, retries: 2 },
);

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

afterAll(() => testDatabase[Symbol.asyncDispose]());

function openJobs(work: boolean) {
  const logger = createLogger({ logLevel: 'silent' });
  const jobs = createJobs({
    database: testDatabase.database,
    logger,
    metrics: createMetrics(),
    work,
  });
  jobs.define(note);
  jobs.define(flaky);
  return jobs;
}

test('[jobs-1] several jobs of one kind are all done, whichever server sent them', async () => {
  await using sender = openJobs(false);
  await sender.start();
  await using worker = openJobs(true);
  await worker.start();
  for (const text of ['a', 'b', 'c']) await sender.send(note, { text });
  await expect.poll(() => done.toSorted(), { timeout: 15_000 }).toEqual(['a', 'b', 'c']);
});

test('[jobs-2] a job of a transaction that is rolled back never runs', async () => {
  done.length = 0;
  await using jobs = openJobs(true);
  await jobs.start();
  const send = (text: string, fail: boolean) =>
    inTransaction(testDatabase.database, async (tx) => {
      await jobs.send(note, { text }, { tx });
      if (fail) throw new Error('rolled back');
    });
  await expect(send('never', true)).rejects.toThrow('rolled back');
  await send('committed', false);
  await expect.poll(() => done, { timeout: 15_000 }).toEqual(['committed']);
});

test('[jobs-3] a job that fails is tried again', async () => {
  done.length = 0;
  await using jobs = openJobs(true);
  await jobs.start();
  await jobs.send(flaky, {});
  await expect.poll(() => done, { timeout: 15_000 }).toEqual(['flaky']);
});

test('[jobs-4] while one with the same key waits, another is not added', async () => {
  done.length = 0;
  await using sender = openJobs(false);
  await sender.start();
  await sender.send(note, { text: 'first' }, { key: 'same' });
  await sender.send(note, { text: 'second' }, { key: 'same' });
  await using worker = openJobs(true);
  await worker.start();
  await expect.poll(() => done, { timeout: 15_000 }).toEqual(['first']);
  await sleep(700);
  expect(done).toEqual(['first']);
});

test('[jobs-5] data that does not fit the schema is refused when it is sent', async () => {
  await using jobs = openJobs(false);
  await jobs.start();
  await expect(jobs.send(note, { text: 7 } as never)).rejects.toThrow(z.ZodError);
});
