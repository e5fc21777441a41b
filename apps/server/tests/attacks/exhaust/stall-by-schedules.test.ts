import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { growthLimits } from '@deviceportal/contract/growth-limits';
import { newId } from '@deviceportal/contract/ids';
import { createSchedule } from '../../../src/commands/schedules/create-schedule.ts';
import { listSchedules } from '../../../src/commands/schedules/list-schedules.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  shownDevices,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

/** The limit on a dedicated server is 200 ms; in tests, others use the same processors. */
const LONGEST_DELAY_MS = 500;

let db: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

test('the maximum number of schedules, all for rare days, does not block listing them', async () => {
  const deviceIds = await seedDevices(db.database, [{}]);
  const { idempotencyKey: _key, ...run } = runInput({ command: 'restart/agent' });
  await createSchedule(fixture.deps, viewerWith('Operator'), {
    ...run,
    target: { kind: 'devices', deviceIds },
    agreement: shownDevices(deviceIds),
    confirmation: '',
    id: newId(),
    name: 'rare',
    times: { kind: 'cron', cron: '0 0 29 2 *', timeZone: 'Europe/Berlin' },
    missed: 'skip',
    freeze: false,
    origin,
  });
  const { most } = growthLimits.schedules;
  await db.database.orm.execute(sql`
    insert into run_schedule select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
      'times', jsonb_set(s.times, '{cron}', to_jsonb(n % 60 || ' ' || n / 60 || ' 29 2 *'))))).*
    from run_schedule s, generate_series(1, ${most - 1}) n`);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const listed = await listSchedules(fixture.deps, viewerWith('Viewer'));
  delay.disable();
  expect(listed).toHaveLength(most);
  expect(listed.every(({ nextTimes }) => nextTimes.length === 5)).toBe(true);
  expect(delay.max / 1e6).toBeLessThan(LONGEST_DELAY_MS);
});
