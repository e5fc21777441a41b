import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { redactionSchema } from '@deviceportal/contract/reports';
import { eraseSomeReports } from '../../src/reports/data/erase-reports.ts';
import { deleteOrphanedReports } from '../../src/reports/delete-orphaned-reports.ts';
import { createReport } from '../../src/reports/creation/create-report.ts';
import { deleteReportFiles } from '../../src/reports/report-files.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { shareReport } from '../../src/reports/sharing/share-report.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { origin, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createReportFixture, type ReportFixture } from '../support/report-fixture.ts';

let portal: TestDatabase;
let fixture: ReportFixture;
let support: Viewer;
let personId = '';
let number = 0;

beforeAll(async () => {
  portal = await createTestDatabase();
  fixture = await createReportFixture(portal.database);
  support = viewerWith('Support');
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});
beforeEach(async () => {
  number += 1;
  ({ id: personId } = await fixture.person(`Maria Gómez ${number}`, [{}]));
});

const files = () => readdir(fixture.directory);

/** Waits until the first rendering is there that was not, while `work` goes on with the next. */
async function untilRendered(before: readonly string[], work: Promise<unknown>): Promise<void> {
  let isOver = false;
  void work.catch(() => {}).finally(() => (isOver = true));
  const isNew = (name: string): boolean => name.endsWith('.page.json') && !before.includes(name);
  while (!isOver && !(await files()).some(isNew)) await delay(1);
  expect(isOver).toBe(false);
}

/** What an erasure does with the reports on a person. */
async function eraseReportsOn(person: string): Promise<void> {
  const ids = await inTransaction(portal.database, (tx) => eraseSomeReports(tx, [person], 100));
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) await deleteReportFiles(fixture.deps.userReportFiles, id);
}

test('a report that is written while its person is erased leaves no file', async () => {
  const before = await files();
  const id = await fixture.request(support, { personId });
  const making = createReport(fixture.deps, id);
  await untilRendered(before, making);
  await eraseReportsOn(personId);
  await making;
  expect(await files()).toEqual(before);
});

test('a link that is made while its person is erased opens nothing, and leaves no file', async () => {
  const before = await files();
  const { row } = await fixture.make(support, { personId });
  const sharing = shareReport(
    fixture.deps,
    { viewer: support, ...origin },
    { id: row.id, redaction: redactionSchema.parse({}), validSeconds: 60 },
  );
  await untilRendered(await files(), sharing);
  await eraseReportsOn(personId);
  await expect(sharing).rejects.toMatchObject({ errorName: 'notFound' });
  expect(await files()).toEqual(before);
  const { rowCount } = await portal.database.pool.query(
    'select from report_share where report_id = $1',
    [row.id],
  );
  expect(rowCount).toBe(0);
});

test('files that a killed server left of an erased person are deleted within a day, and no others', async () => {
  const { row: kept } = await fixture.make(support, { personId });
  const { id: other } = await fixture.person('Ana Kovač', [{}]);
  await fixture.make(support, { personId: other });
  await inTransaction(portal.database, (tx) => eraseSomeReports(tx, [other], 100));
  const old = new Date(Date.now() - 172_800_000);
  for (const name of await files()) await utimes(join(fixture.directory, name), old, old);
  const count = await deleteOrphanedReports(
    portal,
    fixture.deps.userReportFiles,
    new Date(Date.now() - 86_400_000),
  );
  expect(count).toBe(4);
  expect((await files()).every((name) => name.startsWith(kept.id))).toBe(true);
  expect(await files()).toHaveLength(4);
});
