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
import { longestTurnDuring } from '../longest-turn-during.ts';

const LONGEST_TURN_MS = 200;

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
  const [listed, longestMs] = await longestTurnDuring(() =>
    listSchedules(fixture.deps, viewerWith('Viewer')),
  );
  expect(listed).toHaveLength(most);
  expect(listed.every(({ nextTimes }) => nextTimes.length === 5)).toBe(true);
  expect(longestMs).toBeLessThan(LONGEST_TURN_MS);
});
