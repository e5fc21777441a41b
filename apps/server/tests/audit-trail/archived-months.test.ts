import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  auditFilterSchema,
  type ArchivedAuditPage,
  type AuditEvent,
} from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import {
  archiveAuditMonths,
  type ArchiveDeps,
} from '../../src/audit-trail/archive/archive-audit-months.ts';
import { deleteEndedMonths } from '../../src/audit-trail/archive/delete-ended-months.ts';
import { createDuckDbHistory } from '../../src/audit-trail/archive/history/duckdb-history.ts';
import {
  listArchivedEvents,
  type HistorySources,
} from '../../src/audit-trail/archive/list-archived-events.ts';
import { openAnalytics } from '../../src/audit-trail/archive/open-analytics.ts';
import { ensureAuditMonths } from '../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import {
  verifyAuditTrail,
  type VerifySources,
} from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { sealAll, setAuditClock, testSigner } from '../support/audit/audit-signer.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { openArchive } from '../../src/platform/files/open-files.ts';

const analytics = openAnalytics();
const auditor = viewerWith('Auditor');
const inJapan = viewerWith('Auditor', { countries: ['JP'], models: [], labels: {} });
const EVENTS = 240;
const MONTHS = 4;
let test: TestDatabase;
let sources: VerifySources & ArchiveDeps & HistorySources;
let dataDir = '';

/** Four months of events, half of them of a device in Japan, with texts that CSV could change. */
beforeAll(async () => {
  test = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'archive-'));
  sources = {
    database: test.database,
    analytics,
    archive: openArchive(dataDir),
    history: createDuckDbHistory({ analytics, archive: openArchive(dataDir) }),
    scratchDir: join(dataDir, 'scratch'),
    trustedKeys: testSigner.trustedKeys,
    keptDays: 365,
  };
  const [tokyo] = await seedDevices(test.database, [{ name: 'tokyo', country: 'JP' }]);
  for (let month = 0; month < MONTHS; month += 1) {
    const indexes = Array.from(
      { length: EVENTS / MONTHS },
      (_, n) => (month * EVENTS) / MONTHS + n,
    );
    for (const index of indexes) await recordAt(index, index % 2 === 0 ? tokyo : null);
    await sealAll(test, 50, () => momentOf(indexes.at(-1) ?? 0));
  }
  await setAuditClock(test, null);
  await ensureAuditMonths(test.database.orm, new Date());
});
afterAll(async () => {
  await analytics[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const momentOf = (index: number): Date =>
  new Date(Date.UTC(2024, Math.floor((index * MONTHS) / EVENTS), 3, 0, 0, index));

async function recordAt(index: number, device: string | null | undefined): Promise<void> {
  const at = momentOf(index);
  await setAuditClock(test, at);
  const note = ['', 'null', String.raw`\N`, 'a "b",\nc', '设备 é', "it's"][index % 6];
  await test.database.pool.query(
    `insert into audit_event (id, type, device_id, actor_kind, actor_name, actor_address, request_id, data)
     values ($1, case when $2 % 3 = 0 then 'device.created' else 'device-event.x' end, $3, 'system', $4,
       case when $2 % 5 = 0 then '' end, 'r-' || $2, jsonb_build_object('index', $2::int, 'note', $4::text, 'n', 1.50))`,
    [newId(at.getTime()), index, device, note],
  );
}

const filterOf = (part: object) => auditFilterSchema.parse(part);

async function allArchived(part: object, viewer = auditor): Promise<AuditEvent[]> {
  return (await pagesOf(sources, part, viewer)).flatMap(({ rows }) => rows);
}

async function pagesOf(from: HistorySources, part: object, viewer = auditor) {
  const pages: ArchivedAuditPage[] = [];
  let cursor: string | null = null;
  do {
    const input = { filter: filterOf(part), pageSize: 25, cursor };
    const page = await listArchivedEvents(from, viewer, { input });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

const indexes = (events: readonly AuditEvent[]): unknown[] =>
  events.map(({ data }) => data['index']);

it('past months become files with every event unchanged, and leave the database only then', async () => {
  expect(await archiveAuditMonths(sources, new Date('2024-03-15T00:00:00Z'))).toEqual([
    '2024-01',
    '2024-02',
  ]);
  const { rows } = await test.database.pool.query<{ n: number }>(
    "select count(*)::int as n from audit_event where at < '2025-01-01'",
  );
  expect(rows[0]?.n).toBe(EVENTS / 2);
  await sealAll(test);
  expect(await verifyAuditTrail(sources)).toMatchObject({ broken: null, strays: 0 });
});

it('archived events are found by the same filters and permissions, newest first, each once', async () => {
  const half = Array.from({ length: EVENTS / 2 }, (_, index) => EVENTS / 2 - 1 - index);
  expect(indexes(await allArchived({}))).toEqual(half);
  expect(indexes(await allArchived({ types: ['device.*'] }))).toEqual(
    half.filter((index) => index % 3 === 0),
  );
  expect(indexes(await allArchived({ requestId: 'r-7' }))).toEqual([7]);
  expect(indexes(await allArchived({ text: '设备' }))).toEqual(
    half.filter((index) => index % 6 === 4),
  );
  expect(indexes(await allArchived({}, inJapan))).toEqual(half.filter((index) => index % 2 === 0));
  const from = '2024-02-03T00:01:20Z';
  expect(indexes(await allArchived({ range: { from, to: null } }))).toEqual(
    half.filter((index) => index >= 80),
  );
});

it('a slow search returns how far it came, and continues there without losing an event', async () => {
  const pace = { firstEvents: 1, partMs: 0, limitMs: -1 };
  const slow = { ...sources, history: createDuckDbHistory({ ...sources, pace }) };
  const pages = await pagesOf(slow, { types: ['device.*'] });
  const found = pages.flatMap(({ rows }) => rows);
  expect(found).toEqual(await allArchived({ types: ['device.*'] }));
  const partial = pages.filter(({ complete }) => !complete);
  expect(partial.length).toBeGreaterThan(3);
  for (const { searchedTo, rows } of partial) {
    expect(rows.length).toBeLessThan(25);
    for (const { at } of rows)
      expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(searchedTo ?? ''));
  }
});

it('the last page of recent events names the newest archived event', async () => {
  const page = await listAuditEvents(sources, auditor, {
    filter: filterOf({ range: { from: null, to: '2024-12-31T00:00:00Z' } }),
    pageSize: 200,
    cursor: null,
  });
  expect(page.archivedUntil).toBe('2024-02-03T00:01:59.000Z');
});

it('archiving that was interrupted starts over and replaces incomplete files', async () => {
  const before = new Date('2024-04-15T00:00:00Z');
  const cut = { ...analytics, query: () => Promise.reject(new Error('ended')) };
  await expect(archiveAuditMonths({ ...sources, analytics: cut }, before)).rejects.toThrow('ended');
  await mkdir(join(dataDir, 'audit-trail', '2024-03'), { recursive: true });
  await writeFile(join(dataDir, 'audit-trail', '2024-03', 'half.parquet.part'), 'half');
  expect(await archiveAuditMonths(sources, before)).toEqual(['2024-03']);
  expect(await archiveAuditMonths(sources, before)).toEqual([]);
  await sealAll(test);
  expect(await verifyAuditTrail(sources)).toMatchObject({ broken: null, strays: 0 });
});

it('a month stays in the database if its file has other events', async () => {
  const lossy: typeof analytics = {
    ...analytics,
    query: (sql, values, signal) =>
      analytics.query(sql.replace('order by id)', 'offset 1)'), values, signal),
  };
  await expect(
    archiveAuditMonths({ ...sources, analytics: lossy }, new Date('2024-05-15T00:00:00Z')),
  ).rejects.toThrow('differs from the events');
  expect(await verifyAuditTrail(sources)).toMatchObject({ broken: null, strays: 0 });
});

it('a missing file is reported as a gap and as a fault of the chain', async () => {
  const [file = ''] = (await readdir(join(dataDir, 'audit-trail', '2024-02'))).filter((name) =>
    name.endsWith('.parquet'),
  );
  const empty = await mkdtemp(join(tmpdir(), 'archive-empty-'));
  const archive = openArchive(empty);
  const elsewhere = { ...sources, archive, history: createDuckDbHistory({ analytics, archive }) };
  const input = { filter: filterOf({}), pageSize: 25, cursor: null };
  const page = await listArchivedEvents(elsewhere, auditor, { input });
  expect(page).toMatchObject({ rows: [], gaps: ['2024-03', '2024-02', '2024-01'] });
  expect((await verifyAuditTrail(elsewhere)).broken).toMatchObject({
    sequence: 1,
    reason: 'missing',
  });
  expect(file).not.toBe('');
  await rm(empty, { recursive: true });
});

it('[archive-7] an expired month is deleted with an audit event, and verification counts its events as expired', async () => {
  expect(await deleteEndedMonths(sources, new Date('2024-02-01T00:00:00Z'))).toBe(1);
  expect(await readdir(join(dataDir, 'audit-trail', '2024-01'))).toEqual([]);
  await sealAll(test);
  expect(await verifyAuditTrail(sources)).toMatchObject({
    broken: null,
    strays: 0,
    expired: EVENTS / 4,
    archived: EVENTS / 2,
    unnamedFiles: [],
  });
  // Deleted before the end of a longer retention.
  expect((await verifyAuditTrail({ ...sources, keptDays: 10_000 })).broken).toMatchObject({
    sequence: 1,
    reason: 'missing',
  });
  const page = await listAuditEvents(sources, auditor, {
    filter: filterOf({ types: ['audit-trail.month-deleted'] }),
    pageSize: 10,
    cursor: null,
  });
  expect(page.rows[0]?.data).toMatchObject({ month: '2024-01', events: EVENTS / 4 });
});
