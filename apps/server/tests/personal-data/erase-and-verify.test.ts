import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditFilterSchema, type AuditEvent } from '@deviceportal/contract/audit-trail';
import { archiveAuditMonths } from '../../src/audit-trail/archive/archive-audit-months.ts';
import { createDuckDbHistory } from '../../src/audit-trail/archive/history/duckdb-history.ts';
import { listArchivedEvents } from '../../src/audit-trail/archive/list-archived-events.ts';
import { openAnalytics } from '../../src/audit-trail/archive/open-analytics.ts';
import { quoted } from '../../src/audit-trail/archive/analytics.ts';
import { ensureAuditMonths } from '../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { verifyAuditTrail } from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { sealAll, setAuditClock, testSigner } from '../support/audit/audit-signer.ts';
import { viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { act, eraseNow, seedUser, type SeededUser } from './seeded-people.ts';
import { openArchive } from '../../src/platform/files/open-files.ts';

const analytics = openAnalytics();
const auditor = viewerWith('Auditor');
const then = new Date(Date.UTC(2024, 2, 3));
let test_: TestDatabase;
let dataDir = '';
let maria: SeededUser;
let boris: SeededUser;

beforeEach(async () => {
  test_ = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'archive-'));
  maria = await seedUser(test_.database, 'maria@example.com');
  boris = await seedUser(test_.database, 'boris@example.com');
  await ensureAuditMonths(test_.database.orm, then);
  await setAuditClock(test_, then);
  for (const user of [maria, boris, maria])
    await act(test_.database, user, { username: user.username });
  await sealAll(test_, 2_000, () => then);
  await setAuditClock(test_, null);
});
afterEach(async () => {
  await test_[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const sources = () => ({
  history: createDuckDbHistory({ analytics, archive: openArchive(dataDir) }),
  ...{ database: test_.database, analytics, archive: openArchive(dataDir) },
  scratchDir: join(dataDir, 'scratch'),
  ...{ trustedKeys: testSigner.trustedKeys, keptDays: 365 },
});

const archive = () => archiveAuditMonths(sources(), new Date(Date.UTC(2025, 0, 1)));

const input = { filter: auditFilterSchema.parse({}), pageSize: 50, cursor: null };

/** Who did it, and whom the data name. */
const namesIn = (events: readonly AuditEvent[]) =>
  events
    .filter(({ type }) => type === 'device.updated')
    .map(({ actor, data }) => [actor.name, actor.address, data['username']])
    .toSorted((one, other) => String(one[0]).localeCompare(String(other[0])));

const readHot = async () =>
  namesIn((await listAuditEvents(sources(), auditor, { ...input, whole: false })).rows);
const readArchived = async () =>
  namesIn((await listArchivedEvents(sources(), auditor, { input })).rows);

const clear = (user: SeededUser) => [user.username, '192.0.2.77', user.username];
const erased = (user: SeededUser) => {
  const pseudonym = `erased-${user.id.replaceAll('-', '').slice(-12)}`;
  return [pseudonym, null, pseudonym];
};

test('after an erasure, the chain verifies, and only the name of the erased user cannot be read', async () => {
  expect(await readHot()).toEqual([clear(boris), clear(maria), clear(maria)]);
  await eraseNow(test_.database, maria);
  expect(await readHot()).toEqual([clear(boris), erased(maria), erased(maria)]);
  expect(await verifyAuditTrail(sources())).toMatchObject({ broken: null, verified: 3 });
});

test('after an erasure, months that were archived earlier verify without the name of the user', async () => {
  expect(await archive()).toContain('2024-03');
  expect(await readArchived()).toEqual([clear(boris), clear(maria), clear(maria)]);
  const rows = await analytics.query<Record<string, string>>(
    `select * from read_parquet(${quoted(join(dataDir, 'audit-trail', '2024-03', '*.parquet'))})`,
  );
  expect(rows).toHaveLength(3);
  expect(JSON.stringify(rows)).not.toMatch(/maria@|boris@|192\.0\.2/);
  await eraseNow(test_.database, maria);
  expect(await readArchived()).toEqual([clear(boris), erased(maria), erased(maria)]);
  await sealAll(test_);
  expect(await verifyAuditTrail(sources())).toMatchObject({ broken: null });
});

test('a user who is erased before a month is archived is not named in its file', async () => {
  await eraseNow(test_.database, maria);
  await archive();
  expect(await readArchived()).toEqual([clear(boris), erased(maria), erased(maria)]);
  await sealAll(test_);
  expect(await verifyAuditTrail(sources())).toMatchObject({ broken: null });
});

test('an unencrypted event of an earlier release is shown without the name of an erased user', async () => {
  await test_.database.pool.query(
    `insert into audit_event (id, type, actor_kind, actor_id, actor_name, actor_address)
     values (audit_event_id(0), 'device.updated', 'user', $1, $2, '192.0.2.1')`,
    [maria.id, maria.username],
  );
  await eraseNow(test_.database, maria);
  expect(await readHot()).toContainEqual([erased(maria)[0], null, undefined]);
});
