import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advanceReview } from '../../src/access-reviews/advance-review.ts';
import { externalDirectory } from '../../src/access/external-directory.ts';
import { ensureBuiltinRoles } from '../../src/access/data/ensure-builtin-roles.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
const DAY_MS = 86_400_000;
const start = Date.parse('2026-03-01T00:00:00Z');
let now = start;

beforeAll(async () => {
  db = await createTestDatabase();
  await ensureBuiltinRoles(db);
});
afterAll(() => db[Symbol.asyncDispose]());

const run = (statement: string) => db.database.orm.execute(sql.raw(statement));

/** Ana administrates; Ben is a Viewer. */
beforeEach(async () => {
  now = start;
  await run(`delete from access_review; delete from access_review_line; delete from user_role;
    delete from portal_user; delete from notification; delete from api_call`);
  await run(`insert into portal_user (id, subject, username, name)
    select gen_random_uuid(), name, name, name from unnest(array['ana', 'ben']) name`);
  await run(`insert into user_role select u.id, r.id from portal_user u join role r
    on (u.username, r.name) in (('ana', 'Administrator'), ('ben', 'Viewer'))`);
});

const permissions = { 'devices.list': 'devices:read', 'people.get': 'people:read' } as const;

const advance = (schedule: { everyDays: number; overdue: 'keep' | 'remove' }) =>
  advanceReview(
    {
      database: db.database,
      directory: externalDirectory,
      clock: () => new Date(now),
      changes: { publish: () => {} } as never,
      permissionsByPath: () => new Map(Object.entries(permissions)),
    },
    schedule,
  );

async function lines(): Promise<Record<string, string | null>> {
  const { rows } = await db.database.orm.execute<{ username: string; outcome: string | null }>(sql`
    select u.username, l.outcome from access_review_line l join portal_user u on u.id = l.user_id`);
  return Object.fromEntries(rows.map(({ username, outcome }) => [username, outcome]));
}

async function reviews(): Promise<string[]> {
  const { rows } = await db.database.orm.execute<{ state: string }>(
    sql`select state from access_review order by started_at`,
  );
  return rows.map(({ state }) => state);
}

async function stages(): Promise<string[]> {
  const { rows } = await db.database.orm.execute<{ stage: string }>(
    sql`select facts ->> 'stage' as stage from notification order by at, id`,
  );
  return rows.map(({ stage }) => stage);
}

describe('reviews by schedule', () => {
  test('none starts without a schedule; with one, the first starts at once and only one is open', async () => {
    await advance({ everyDays: 0, overdue: 'keep' });
    expect(await reviews()).toEqual([]);
    await advance({ everyDays: 90, overdue: 'keep' });
    await advance({ everyDays: 90, overdue: 'keep' });
    expect(await reviews()).toEqual(['open']);
    expect(await lines()).toEqual({ ana: null, ben: null });
  });

  test('the last use of a role counts successful calls that require its permissions', async () => {
    await run(`insert into api_call (id, at, user_id, address, kind, path, batch_size, duration_ms, status, error_code, request_id)
      select gen_random_uuid(), at::timestamptz, u.id::text, '', 'query', path, 1, 1, 200, code, ''
      from portal_user u, (values ('2026-02-01T00:00:00Z', 'devices.list', null),
        ('2026-02-02T00:00:00Z', 'people.get', null), ('2026-02-03T00:00:00Z', 'devices.list', 1000)) c(at, path, code)
      where u.username = 'ben'`);
    await advance({ everyDays: 90, overdue: 'keep' });
    const { rows } = await db.database.orm.execute<{ at: Date }>(sql`
      select l.last_used_at as at from access_review_line l join portal_user u on u.id = l.user_id
      where u.username = 'ben'`);
    // A Viewer does not see people, and the last call was rejected.
    expect(new Date(rows[0]?.at ?? 0).toISOString()).toBe('2026-02-01T00:00:00.000Z');
  });

  test('reviewers are reminded once three days before the due date, and once when it is overdue', async () => {
    for (const day of [0, 5, 11.5, 12, 14.5, 15]) {
      now = start + day * DAY_MS;
      await advance({ everyDays: 90, overdue: 'keep' });
    }
    expect(await stages()).toEqual(['started', 'soon', 'overdue']);
    expect(await lines()).toEqual({ ana: null, ben: null });
    expect(await reviews()).toEqual(['open']);
  });

  test('where overdue roles are removed, all but the last administrator lose theirs, and the review closes', async () => {
    await advance({ everyDays: 90, overdue: 'remove' });
    now += 15 * DAY_MS;
    await advance({ everyDays: 90, overdue: 'remove' });
    expect(await lines()).toEqual({ ana: 'kept', ben: 'removed' });
    expect(await reviews()).toEqual(['closed']);
    const { rows } = await db.database.orm.execute(sql`select user_id from user_role`);
    expect(rows).toHaveLength(1);
  });
});
