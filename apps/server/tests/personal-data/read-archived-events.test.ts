import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveAuditMonths } from '../../src/audit-trail/archive/archive-audit-months.ts';
import type { Analytics } from '../../src/audit-trail/archive/analytics.ts';
import { createDuckDbHistory } from '../../src/audit-trail/archive/history/duckdb-history.ts';
import { openAnalytics } from '../../src/audit-trail/archive/open-analytics.ts';
import { readArchivedEventsOf } from '../../src/audit-trail/archive/read-archived-events-of.ts';
import { ensureAuditMonths } from '../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { sealAll, setAuditClock } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { seedUser, type SeededUser } from './seeded-people.ts';
import { openArchive } from '../../src/platform/files/open-files.ts';

const then = new Date(Date.UTC(2024, 2, 3));
/** More than are read at once, and than one row group has. */
const MANY = 60_000;
const analytics = openAnalytics();
let portal: TestDatabase;
let dataDir = '';
let maria: SeededUser;
let boris: SeededUser;

beforeAll(async () => {
  portal = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'cold-'));
  maria = await seedUser(portal.database, 'maria@example.com');
  boris = await seedUser(portal.database, 'boris@example.com');
  await ensureAuditMonths(portal.database.orm, then);
  await setAuditClock(portal, then);
  for (const [user, events] of [[maria, MANY] as const, [boris, 3] as const]) {
    await portal.database.pool.query(
      `insert into audit_event (id, type, actor_kind, actor_id, actor_name)
       select audit_event_id(n), 'device.updated', 'user', $1, $2 from generate_series(0, $3 - 1) n`,
      [user.id, user.username, events],
    );
  }
  await sealAll(portal, 5_000, () => then);
  await setAuditClock(portal, null);
  await archiveAuditMonths(
    {
      ...{ database: portal.database, analytics, archive: openArchive(dataDir) },
      scratchDir: join(dataDir, 'scratch'),
    },
    new Date(Date.UTC(2025, 0, 1)),
  );
}, 120_000);
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await analytics[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** Analytics that note how many rows each question of events brought. */
function counted(rows: number[]): Analytics {
  return {
    query: async (sql, values, signal) => {
      const found = await analytics.query<never>(sql, values, signal);
      if (sql.includes('"actorName"')) rows.push(found.length);
      return found;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function read(user: SeededUser, rows: number[], signal?: AbortSignal) {
  const history = createDuckDbHistory({
    analytics: counted(rows),
    archive: openArchive(dataDir),
  });
  const sources = { database: portal.database, history };
  return (await readArchivedEventsOf(sources, user.id, signal)).pages;
}

test.each([
  ['few events', () => boris, 3],
  ['more events than are read at once', () => maria, MANY],
])('%s of an archived month are read once, a bounded part at a time', async (_name, user, all) => {
  const rows: number[] = [];
  const ids = new Set<string>();
  for await (const page of await read(user(), rows)) {
    expect(page.length).toBeLessThanOrEqual(1_000);
    for (const { id } of page) ids.add(id);
  }
  expect(ids.size).toBe(all);
  expect(rows.reduce((sum, count) => sum + count, 0)).toBe(all);
  expect(Math.max(...rows)).toBeLessThanOrEqual(40_960);
});

test('reading stops when the client disconnects', async () => {
  const gone = new AbortController();
  const pages = await read(maria, [], gone.signal);
  expect((await pages.next()).value).toHaveLength(1_000);
  gone.abort(new Error('gone'));
  await expect(pages.next()).rejects.toThrow('gone');
});
