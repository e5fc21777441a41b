import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { createFleetTrend } from '../../src/findings/get-fleet-trend.ts';
import { recordFleetTrend } from '../../src/findings/record-fleet-trend.ts';
import { may, seedDevices, viewerHolding } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const at = (time: string) => ({ database: db.database, clock: () => new Date(time) });
const trendFor = (scope: object, time = '2026-11-20T14:30:00Z') =>
  createFleetTrend(at(time))(viewerHolding([may(['devices:read'], { ...everywhere, ...scope })]));

test('keeps the last count of each hour per scope, for 30 days', async () => {
  const [wrong = ''] = await seedDevices(db.database, [
    { country: 'DE', connectivity: 'online' },
    { country: 'DE', connectivity: 'offline' },
    { country: 'FR', connectivity: 'degraded' },
    { country: 'FR', connectivity: 'online', lifecycle: 'retired' },
  ]);
  await recordFleetTrend(at('2026-10-20T14:00:00Z'));
  await recordFleetTrend(at('2026-11-20T13:05:00Z'));
  await db.database.orm.execute(sql`update device_status set connectivity = 'offline'`);
  await db.database.orm.execute(sql`
    insert into finding (rule, device_id, severity, facts, opened_at)
    values ('disk-full', ${wrong}, 'error', '{}', now()), ('clock-wrong', ${wrong}, 'warning', '{}', now())`);
  await recordFleetTrend(at('2026-11-20T14:05:00Z'));
  await recordFleetTrend(at('2026-11-20T14:20:00Z'));
  const earlier = { at: '2026-11-20T13:00:00.000Z', devices: 3, online: 2, withFindings: 0 };
  expect(await trendFor({})).toEqual({
    points: [earlier, { at: '2026-11-20T14:00:00.000Z', devices: 3, online: 0, withFindings: 1 }],
  });
  const german = await trendFor({ countries: ['DE'] });
  expect(german.points?.[0]).toEqual({ ...earlier, devices: 2, online: 1 });
  expect(await trendFor({ countries: ['PL'] })).toEqual({ points: [] });
});

test('returns no past values for a scope by labels', async () => {
  expect(await trendFor({ labels: { site: 'berlin' } })).toEqual({ points: null });
});
