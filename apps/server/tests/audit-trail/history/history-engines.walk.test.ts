import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { auditFilterSchema, type ArchivedAuditPage } from '@deviceportal/contract/audit-trail';
import {
  startAthenaFront,
  type AthenaFront,
  type AthenaLimits,
} from '../../../../../packages/aws/tests/parts/athena-front.ts';
import { lacks } from '../../../../../packages/aws/tests/parts/parts.ts';
import { queryOnTrino } from '../../../../../packages/aws/tests/parts/query-on-trino.ts';
import { startTrino } from '../../../../../packages/aws/tests/parts/start-trino.ts';
import { startVersitygw } from '../../../../../packages/aws/tests/parts/start-versitygw.ts';
import { archiveAuditMonths } from '../../../src/audit-trail/archive/archive-audit-months.ts';
import { createAthenaHistory } from '../../../src/audit-trail/archive/history/athena-history.ts';
import { createDuckDbHistory } from '../../../src/audit-trail/archive/history/duckdb-history.ts';
import type {
  EventConditions,
  HistoryPort,
  NewestEvents,
} from '../../../src/audit-trail/archive/history/history-port.ts';
import { listArchivedEvents } from '../../../src/audit-trail/archive/list-archived-events.ts';
import { openAnalytics } from '../../../src/audit-trail/archive/open-analytics.ts';
import {
  findArchiveFiles,
  type ArchivePeriod,
} from '../../../src/audit-trail/data/archive/archive-file-queries.ts';
import { ensureAuditMonths } from '../../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { loadAws } from '../../../src/platform/aws/load-aws.ts';
import { withSafeKeys } from '../../../src/platform/files/file-key.ts';
import { createLocalCopies, type LocalCopies } from '../../../src/platform/files/local-copies.ts';
import { eraseNow, seedUser, type SeededUser } from '../../personal-data/seeded-people.ts';
import { setAuditClock } from '../../support/audit/audit-signer.ts';
import { seedDevices, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { awkwardTexts, MONTHS, recordMonth } from './awkward-months.ts';
import { createTrinoTable } from './create-trino-table.ts';

const LIMIT_MS = 300_000;
const RUNS = 60;
const table = {
  database: 'deviceportal',
  name: 'audit_trail',
  location: 's3://audit/portal/audit-trail/',
};
const auditor = viewerWith('Auditor');
const resources = new AsyncDisposableStack();
let portal: TestDatabase;
let archive: LocalCopies;
let front: AthenaFront;
let openFront: (limits?: AthenaLimits) => Promise<AthenaFront>;
let onDuckDb: HistoryPort;
let onAthena: HistoryPort;
let users: readonly SeededUser[];
let devices: readonly string[];
let files: readonly ArchivePeriod[];
let all: readonly AuditRecord[];

const everything: EventConditions = {
  ...{ from: null, to: null, deviceId: null, actorId: null, actorKind: null },
  ...{
    requestId: null,
    runId: null,
    caseId: null,
    addresses: null,
    types: [],
    typesWithResult: null,
  },
};

/** The same archived months, asked by DuckDB, and by the client of Athena on Trino. */
describe.skipIf(lacks('versitygw', 'Trino'))('questions on archived months', () => {
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'history-'));
    resources.defer(() => rm(dataDir, { recursive: true, force: true }));
    portal = resources.use(await createTestDatabase());
    const s3 = resources.use(await startVersitygw('audit'));
    const trino = resources.use(await startTrino(s3));
    const analytics = resources.use(openAnalytics());
    const { createS3Files } = await loadAws('s3-files', 'test');
    const store = createS3Files({ ...s3, bucket: 'audit', partBytes: 8 * 1024 * 1024 });
    archive = createLocalCopies({
      files: withSafeKeys(store('portal/audit-trail'), 'nested'),
      directory: join(dataDir, 'copies'),
      limitBytes: 1024 ** 3,
    });
    await fillArchive({ database: portal.database, analytics, archive, scratchDir: dataDir });
    const run = queryOnTrino(trino.endpoint);
    await createTrinoTable(run, table);
    openFront = async (limits) => resources.use(await startAthenaFront(run, limits));
    front = await openFront();
    onDuckDb = createDuckDbHistory({ analytics, archive });
    onAthena = await athenaAt(front);
    files = await findArchiveFiles(portal.database.orm, { from: null, to: null });
    all = (await onDuckDb.newestEvents(newest({}))).records;
  }, LIMIT_MS);
  afterAll(() => resources.disposeAsync(), LIMIT_MS);

  test('all events of all months are found', async () => {
    expect(files.map(({ month }) => month)).toEqual(MONTHS.toReversed());
    expect(all.length).toBe(MONTHS.length * 8 * (10 + users.length));
    expect(await onAthena.newestEvents(newest({}))).toEqual({
      records: all,
      gaps: [],
      readTo: null,
    });
  });

  test(
    'the newest events are equal for all conditions, positions, and limits',
    async () => {
      await fc.assert(
        fc.asyncProperty(newestEvents(), async (question) => {
          const expected = await onDuckDb.newestEvents(question);
          expect(await onAthena.newestEvents(question)).toEqual(expected);
        }),
        { numRuns: RUNS, examples: rare() },
      );
    },
    LIMIT_MS,
  );

  test(
    'a search returns equal pages, also for text, people, and places in scope',
    async () => {
      await fc.assert(
        fc.asyncProperty(searches(), async (search) => {
          expect(await pagesOf(onAthena, search)).toEqual(await pagesOf(onDuckDb, search));
        }),
        { numRuns: RUNS / 3 },
      );
    },
    LIMIT_MS,
  );

  test('all events of a user are equal, also of a user who was erased', async () => {
    for (const { id } of [...users, { id: 'actor-1' }, { id: `' or true --` }]) {
      const [here, there] = [await eventsOf(onDuckDb, id), await eventsOf(onAthena, id)];
      expect(there).toEqual(here);
      expect(here.length > 0).toBe(!id.includes("'"));
    }
  });

  test('older months are read only if newer ones have too few events', async () => {
    const before = front.executions.length;
    await onAthena.newestEvents({ ...newest({}), limit: 10 });
    const asked = front.executions.slice(before);
    expect(asked.map(({ parameters }) => parameters[0])).toEqual([`'2024-05'`]);
  });

  test('a file that does not count is not read, and a missing one is a gap', async () => {
    const [newestFile] = files;
    const opened = await archive.files.open(newestFile?.file ?? '');
    if (opened === undefined) throw new Error('the file is missing');
    await archive.files.put('2024-05/0000000000000000.parquet', opened.content);
    expect((await onAthena.newestEvents(newest({}))).records).toEqual(all);
    const gone = { ...(newestFile as ArchivePeriod), file: '2024-05/1111111111111111.parquet' };
    const question = { ...newest({}), files: [gone, ...files.slice(1)] };
    const expected = await onDuckDb.newestEvents(question);
    expect(expected.gaps).toEqual(['2024-05']);
    expect(await onAthena.newestEvents(question)).toEqual(expected);
  });

  test('a search that reads more than the workgroup allows says what to do', async () => {
    const limited = await athenaAt(await openFront({ bytes: 1, rowsPerPage: 1_000 }));
    await expect(limited.newestEvents(newest({}))).rejects.toMatchObject({
      code: 2004,
      reason: 'archive-search-too-large',
      message: expect.stringContaining('Choose a shorter period.') as string,
    });
  });

  test('a table that does not exist is an unavailable service', async () => {
    const elsewhere = await athenaAt(front, { ...table, name: 'nothing' });
    await expect(elsewhere.newestEvents(newest({}))).rejects.toMatchObject({
      code: 2000,
      detail: expect.stringContaining('nothing') as string,
    });
  });
});

async function fillArchive(deps: Parameters<typeof archiveAuditMonths>[0]): Promise<void> {
  devices = await seedDevices(portal.database, [
    { name: 'tokyo', country: 'JP' },
    { name: 'paris', country: 'FR' },
  ]);
  const names = ['maria@example.com', 'boris@example.com', 'eva@example.com'];
  users = await Promise.all(names.map((name) => seedUser(portal.database, name)));
  for (const month of MONTHS) await recordMonth(portal, month, { devices, users });
  await setAuditClock(portal, null);
  await ensureAuditMonths(portal.database.orm, new Date());
  await archiveAuditMonths(deps, new Date('2025-01-01T00:00:00Z'));
  await eraseNow(portal.database, users[2] as SeededUser);
}

async function athenaAt(at: AthenaFront, asked = table): Promise<HistoryPort> {
  const { createAthenaQueries } = await loadAws('athena', 'test');
  const { endpoint, region, credentials } = at;
  const runQuery = createAthenaQueries({ endpoint, region, credentials, workgroup: 'portal' });
  return createAthenaHistory({ runQuery, table: asked, files: archive.files, limitMs: LIMIT_MS });
}

const newest = (conditions: Partial<EventConditions>): NewestEvents => ({
  ...{ files, before: null, limit: 5_000 },
  conditions: { ...everything, ...conditions },
});

async function eventsOf(history: HistoryPort, userId: string): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  for await (const page of history.eventsOfUser({ files, userId }).pages) records.push(...page);
  return records;
}

/** A value that occurs in a field, or an awkward one; mostly null. */
const valueOf = (field: keyof AuditRecord): fc.Arbitrary<string | null> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: recorded().map((record) => record[field]) },
    { weight: 1, arbitrary: fc.constantFrom(...awkwardTexts) },
  );

const recorded = (): fc.Arbitrary<AuditRecord> => fc.nat().map((n) => all[n % all.length] as never);

const typeLists = (): fc.Arbitrary<string[]> =>
  fc.array(
    fc.oneof(
      recorded().map(({ type }) => type),
      fc.constantFrom('device.*', 'command.*', 'device-event.*', '*', '.*', '%.*', "'.*"),
    ),
    { maxLength: 3 },
  );

const newestEvents = (): fc.Arbitrary<NewestEvents> =>
  fc.record({
    files: fc.nat(4).map((skip) => files.slice(skip)),
    before: fc.option(recorded().map(({ at, id }) => ({ at, id }))),
    limit: fc.constantFrom(1, 7, 5_000),
    conditions: fc.record({
      from: fc.option(
        recorded().map(({ at }) => at),
        { freq: 2 },
      ),
      to: fc.option(
        recorded().map(({ at }) => at),
        { freq: 2 },
      ),
      deviceId: valueOf('deviceId'),
      actorId: valueOf('actorId'),
      actorKind: fc.constantFrom(null, null, null, 'user', 'device', 'system'),
      requestId: valueOf('requestId'),
      runId: valueOf('runId'),
      caseId: valueOf('caseId'),
      addresses: fc.option(
        fc.array(
          valueOf('actorAddress').map((value) => value ?? ''),
          { minLength: 1, maxLength: 4 },
        ),
        { freq: 2 },
      ),
      types: typeLists(),
      typesWithResult: fc.option(
        fc.array(
          recorded().map(({ type }) => type),
          { minLength: 1, maxLength: 3 },
        ),
        { freq: 2 },
      ),
    }),
  });

/** Each awkward text alone. */
const rare = (): [NewestEvents][] =>
  awkwardTexts.flatMap((text) => [
    [newest({ requestId: text })],
    [newest({ addresses: [text, '192.0.2.77'] })],
  ]);

interface Search {
  readonly filter: Record<string, unknown>;
  readonly pageSize: number;
  readonly isInJapan: boolean;
}

const searches = (): fc.Arbitrary<Search> =>
  fc.record({
    filter: fc.record({
      types: typeLists(),
      text: fc.constantFrom('', '', '设备', 'maria', '%', "'", 'tokyo', 'deep', 'eva'),
      address: fc.constantFrom(null, null, '192.0.2.77', '%'),
      actorId: fc.constantFrom(null, null, ...users.map(({ id }) => id)),
      deviceId: fc.constantFrom(null, null, ...devices),
      range: fc.record({
        from: fc.constantFrom(null, '2024-02-03T00:00:00.001Z'),
        to: fc.constantFrom(null, '2024-04-03T09:00:00+09:00'),
      }),
    }),
    pageSize: fc.constantFrom(20, 200),
    isInJapan: fc.boolean(),
  });

const inJapan = viewerWith('Auditor', { countries: ['JP'], models: [], labels: {} });
const MOST_PAGES = 4;

async function pagesOf(history: HistoryPort, { filter, pageSize, isInJapan }: Search) {
  const sources = { database: portal.database, history };
  const pages: ArchivedAuditPage[] = [];
  let cursor: string | null = null;
  do {
    const input = { filter: auditFilterSchema.parse(filter), pageSize, cursor };
    const page = await listArchivedEvents(sources, isInJapan ? inJapan : auditor, { input });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== null && pages.length < MOST_PAGES);
  return pages;
}
