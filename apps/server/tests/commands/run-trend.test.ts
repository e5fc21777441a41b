import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { listRunsInput } from '@deviceportal/contract/runs';
import { createRunTrend, recordRunTrend } from '../../src/commands/run-trend.ts';
import { listRuns } from '../../src/commands/list-runs.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import {
  createCommandFixture,
  may,
  runInput,
  seedDevices,
  viewerHolding,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let fixture: CommandFixture;
beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

const at = (time: string) => ({ database: db.database, clock: () => new Date(time) });
const NOW = '2026-11-20T14:30:00Z';
const trendFor = (scope: object, now = NOW) =>
  createRunTrend(at(now))(viewerHolding([may(['commands:read'], { ...everywhere, ...scope })]));

/** The outcome of a run, as stored when it ends. */
const end = (endedAt: string, outcome: { country?: string; succeeded: number; failed: number }) =>
  db.database.orm.execute(sql`
    insert into run_outcome (run_id, document_name, document_version, is_undo, model, country, labels,
      succeeded, failed, ended_at)
    values (${randomUUID()}, 'd', 1, false, 'M1', ${outcome.country ?? 'DE'}, '{}', ${outcome.succeeded},
      ${outcome.failed}, ${endedAt})`);

test('counts results by day and scope, each once, for 30 days', async () => {
  await end('2026-10-01T12:00:00Z', { succeeded: 9, failed: 9 });
  await end('2026-11-18T23:59:59Z', { succeeded: 3, failed: 1 });
  await recordRunTrend(at('2026-11-18T23:59:59Z'));
  // A run of a recorded day, and one of the next.
  await end('2026-11-18T23:59:59.9Z', { succeeded: 1, failed: 0, country: 'FR' });
  await end('2026-11-20T00:00:00Z', { succeeded: 2, failed: 2 });
  await recordRunTrend(at(NOW));
  await recordRunTrend(at(NOW));
  expect(await trendFor({})).toEqual({
    days: [
      { day: '2026-11-18', succeeded: 4, failed: 1 },
      { day: '2026-11-20', succeeded: 2, failed: 2 },
    ],
  });
  expect(await trendFor({ countries: ['FR'] })).toEqual({
    days: [{ day: '2026-11-18', succeeded: 1, failed: 0 }],
  });
  expect((await trendFor({}, '2026-12-19T00:00:00Z')).days).toEqual([
    { day: '2026-11-20', succeeded: 2, failed: 2 },
  ]);
});

test('returns no past values for a scope by labels', async () => {
  expect(await trendFor({ labels: { site: 'berlin' } })).toEqual({ days: null });
});

test('a day of the trend leads to the runs that ended on it', async () => {
  const operator = viewerWith('Operator');
  const start = async (endedAt: string): Promise<string> => {
    const deviceIds = await seedDevices(db.database, [{}]);
    const { id } = await runCommand(
      fixture.deps,
      operator,
      runInput({ command: 'logs/tail', target: { kind: 'devices', deviceIds } }),
    );
    await db.database.orm.execute(sql`
      update command_run set created_at = ${endedAt}::timestamptz - interval '1 hour', ended_at = ${endedAt}
      where id = ${id}`);
    return id;
  };
  const first = await start('2026-11-18T00:00:00Z');
  const last = await start('2026-11-18T23:59:59Z');
  await start('2026-11-19T00:00:00Z');
  const { rows } = await listRuns(
    fixture.deps,
    operator,
    listRunsInput.parse({ endedOn: '2026-11-18' }),
  );
  expect(rows.map(({ id }) => id)).toEqual([last, first]);
});
