import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditFilterSchema, type AuditEvent } from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import { archiveAuditMonths } from '../../src/audit-trail/cold/archive-audit-months.ts';
import { deleteEndedMonths } from '../../src/audit-trail/cold/delete-ended-months.ts';
import { listColdEvents } from '../../src/audit-trail/cold/list-cold-events.ts';
import { openAnalytics } from '../../src/audit-trail/cold/open-analytics.ts';
import { ensureAuditMonths } from '../../src/audit-trail/ensure-audit-months.ts';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import {
  verifyAuditTrail,
  type VerifySources,
} from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { sealAll, setAuditClock, testSigner } from '../support/audit/audit-signer.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const analytics = openAnalytics();
const auditor = viewerWith('Auditor');
const inJapan = viewerWith('Auditor', { countries: ['JP'], models: [], labels: {} });
const EVENTS = 240;
const MONTHS = 4;
let test: TestDatabase;
let sources: VerifySources;
let coldDir = '';

/** Four months of events, half of them of a device in Japan, with texts that files could garble. */
beforeAll(async () => {
  test = await createTestDatabase();
  coldDir = await mkdtemp(join(tmpdir(), 'cold-'));
  sources = {
    database: test.database,
    analytics,
    coldDir,
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
  await ensureAuditMonths(test, new Date());
});
afterAll(async () => {
  await analytics[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
  await rm(coldDir, { recursive: true, force: true });
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

async function allCold(part: object, viewer = auditor): Promise<AuditEvent[]> {
  const seen: AuditEvent[] = [];
  let cursor: string | null = null;
  do {
    const input = { filter: filterOf(part), pageSize: 25, cursor };
    const page = await listColdEvents(sources, viewer, { input });
    seen.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return seen;
}

const indexes = (events: readonly AuditEvent[]): unknown[] =>
  events.map(({ data }) => data['index']);

it('[cold-1] old months become files that hold every event to the letter, and only then leave the database', async () => {
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

it('[cold-2] cold events are found by the same filters and rights, newest first, each once', async () => {
  const half = Array.from({ length: EVENTS / 2 }, (_, index) => EVENTS / 2 - 1 - index);
  expect(indexes(await allCold({}))).toEqual(half);
  expect(indexes(await allCold({ types: ['device.*'] }))).toEqual(
    half.filter((index) => index % 3 === 0),
  );
  expect(indexes(await allCold({ requestId: 'r-7' }))).toEqual([7]);
  expect(indexes(await allCold({ text: '设备' }))).toEqual(half.filter((index) => index % 6 === 4));
  expect(indexes(await allCold({}, inJapan))).toEqual(half.filter((index) => index % 2 === 0));
  const from = '2024-02-03T00:01:20Z';
  expect(indexes(await allCold({ range: { from, to: null } }))).toEqual(
    half.filter((index) => index >= 80),
  );
});

it('[cold-3] the list says where cold storage begins', async () => {
  const page = await listAuditEvents(sources, auditor, {
    filter: filterOf({ range: { from: null, to: '2024-12-31T00:00:00Z' } }),
    pageSize: 200,
    cursor: null,
  });
  expect(page.coldUntil).toBe('2024-02-03T00:01:59.000Z');
});

it('[cold-4] what ended a server half way does no harm: its rest is written anew', async () => {
  const before = new Date('2024-04-15T00:00:00Z');
  const cut = { ...analytics, query: () => Promise.reject(new Error('ended')) };
  await expect(archiveAuditMonths({ ...sources, analytics: cut }, before)).rejects.toThrow('ended');
  await writeFile(join(coldDir, '2024-03', 'half.parquet.part'), 'half');
  expect(await archiveAuditMonths(sources, before)).toEqual(['2024-03']);
  expect(await archiveAuditMonths(sources, before)).toEqual([]);
  await sealAll(test);
  expect(await verifyAuditTrail(sources)).toMatchObject({ broken: null, strays: 0 });
});

it('[cold-5] a file that does not hold what the month holds keeps the month in the database', async () => {
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

it('[cold-6] a file that is gone is a gap in what is found and a fault of the chain', async () => {
  const [file = ''] = (await readdir(join(coldDir, '2024-02'))).filter((name) =>
    name.endsWith('.parquet'),
  );
  const elsewhere = { ...sources, coldDir: await mkdtemp(join(tmpdir(), 'cold-empty-')) };
  const input = { filter: filterOf({}), pageSize: 25, cursor: null };
  const page = await listColdEvents(elsewhere, auditor, { input });
  expect(page).toMatchObject({ rows: [], gaps: ['2024-03', '2024-02', '2024-01'] });
  expect((await verifyAuditTrail(elsewhere)).broken).toMatchObject({
    sequence: 1,
    reason: 'missing',
  });
  expect(file).not.toBe('');
  await rm(elsewhere.coldDir, { recursive: true });
});

it('[cold-7] a month whose time has ended is deleted with an event, and the chain knows why it is gone', async () => {
  expect(await deleteEndedMonths(sources, new Date('2024-02-01T00:00:00Z'))).toBe(1);
  expect(await readdir(join(coldDir, '2024-01'))).toEqual([]);
  await sealAll(test);
  expect(await verifyAuditTrail(sources)).toMatchObject({
    broken: null,
    strays: 0,
    expired: EVENTS / 4,
    archived: EVENTS / 2,
    unnamedFiles: [],
  });
  // Deleted too early.
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
