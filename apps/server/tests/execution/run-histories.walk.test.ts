import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createCommandFixture,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { RunChecks } from '../support/run-histories/check-runs.ts';
import { history, rounds, type History, type Round } from '../support/run-histories/history.ts';
import { RunFixture } from '../support/run-histories/run-fixture.ts';

/** `DEVICEPORTAL_TEST_HISTORIES=50000 npx vitest run run-histories` looks longer. */
const HISTORIES = Number(process.env['DEVICEPORTAL_TEST_HISTORIES'] ?? 1_200);
const AT_ONCE = 400;

/** What the histories led to. */
const ends = new Set<string>();

let database: TestDatabase;
let commands: CommandFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  commands = await createCommandFixture(database.database);
});
afterAll(() => database[Symbol.asyncDispose]());

async function play(histories: readonly History[], script: readonly Round[]): Promise<void> {
  const options = {
    database: database.database,
    deps: commands.deps,
    operator: viewerWith('Administrator'),
  };
  await using fixture = await RunFixture.create(options, histories);
  const checks = new RunChecks(fixture, database.database);
  for (const [position, round] of script.entries()) {
    await fixture.play(position, round);
    await checks.afterRound(position);
  }
  await fixture.end();
  const over = await checks.atEnd();
  await fixture.speakLate();
  expect(await checks.atEnd()).toBe(over);
  for (const end of checks.ends) ends.add(end);
}

test(
  '[run-history-1] whatever is lost, late, doubled or killed: every run ends in time, begins nothing twice, keeps its limits and tells all of it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: AT_ONCE, maxLength: AT_ONCE }), rounds, play),
      // The message names the one history that broke; making 400 of them smaller takes longer than reading it.
      { numRuns: Math.max(1, Math.round(HISTORIES / AT_ONCE)), endOnFailure: true },
    );
  },
  120_000 + HISTORIES * 60,
);

test('[run-history-2] the histories lead to every end that there is', () => {
  expect([...ends].toSorted()).toEqual([
    'Cancelled',
    'Delivery Timed Out',
    'Execution Timed Out',
    'Failed',
    'Success',
    'Terminated',
    'Undeliverable',
  ]);
});
