import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getAnswer, listAnswers } from '../../src/commands/answers/list-answers.ts';
import { withRanges } from '../../src/commands/data/number-ranges.ts';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { shownDevices } from '../support/command-fixture.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const operator = viewerWith('Operator');
beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const ranged = async (text: string): Promise<unknown> => {
  const { rows } = await test.database.orm.execute(
    sql`select ${withRanges(sql`${text}::text`)} as ranged`,
  );
  return rows[0]?.['ranged'];
};

it.each([
  ['/dev/sda1 30G 12G 42% /', '/dev/sda1 30–39G 10–19G 40–49% /'],
  ['free: 7 %, 12.5 MB, 1740 kB', 'free: 0–9 %, 10–19 MB, 1000–1999 kB'],
  ['load 0.35 of 8', 'load 0.0–0.9 of 8'],
  ['500107862016 bytes', '500000000000–599999999999 bytes'],
])('numbers of %j become ranges', async (text, expected) => {
  expect(await ranged(text)).toBe(expected);
});

it.each([
  'version 1.2.3 of 10.4.12',
  'eth10, x86_64, /opt/app-12/bin',
  'exit 1, 3 of 9 files',
  'ratio 16:9, port:8080, 10-20',
])('%j keeps its numbers', async (text) => {
  expect(await ranged(text)).toBe(text);
});

/** Devices of which each has an output. */
async function answered(outputs: readonly { text: string; country?: string }[]) {
  const deviceIds = await seedDevices(
    test.database,
    outputs.map(({ country = 'DE' }) => ({ country })),
  );
  const run = await runCommand(
    fixture.deps,
    operator,
    runInput({ command: 'restart/device', target: { kind: 'devices', deviceIds } }),
  );
  for (const [index, { text }] of outputs.entries()) {
    await test.database.orm.execute(sql`
      update invocation set state = 'Success', status_details = 'Success', response_code = 0, ended_at = now(),
        output_preview = ${text}
      where run_id = ${run.id} and device_id = ${deviceIds[index]}`);
  }
  return { runId: run.id, deviceIds };
}

it('outputs that differ in numbers of one range are one group, with all of their devices', async () => {
  const { runId, deviceIds } = await answered([
    { text: 'disk 41% full' },
    { text: 'disk 47% full' },
    { text: 'disk 52% full' },
    { text: 'no disk' },
  ]);
  const exact = await listAnswers(fixture.deps, operator, { id: runId, ranges: false });
  expect(exact).toMatchObject({ distinct: 4, unread: 0 });
  expect(exact.answers.map(({ outputs }) => outputs)).toEqual([1, 1, 1, 1]);
  const grouped = await listAnswers(fixture.deps, operator, { id: runId, ranges: true });
  expect(grouped).toMatchObject({ distinct: 3, unread: 0 });
  expect(grouped.answers[0]).toMatchObject({ text: 'disk 40–49% full', count: 2, outputs: 2 });
  expect(grouped.answers[0]?.sample).toHaveLength(2);
  const sha256 = grouped.answers[0]?.sha256 ?? '';
  expect(await getAnswer(fixture.deps, operator, { runId, sha256 })).toMatchObject({
    ...{ text: 'disk 40–49% full', count: 2, outputs: 2 },
  });
  const again = await rerunCommand(fixture.deps, operator, {
    ...{ runId, onlyFailed: false, answer: sha256, confirmation: '', origin },
    ...{ agreement: shownDevices(deviceIds.slice(0, 2)), idempotencyKey: randomUUID() },
  });
  expect(again.counters.target).toBe(2);
});

it('a group shows only outputs of devices in scope', async () => {
  const { runId } = await answered([
    { text: 'disk 41% full' },
    { text: 'disk 47% full', country: 'FR' },
  ]);
  const french = viewerWith('Operator', { countries: ['FR'], models: [], labels: {} });
  const { answers } = await listAnswers(fixture.deps, french, { id: runId, ranges: true });
  expect(answers).toMatchObject([{ count: 1, outputs: 1, text: 'disk 40–49% full' }]);
});
