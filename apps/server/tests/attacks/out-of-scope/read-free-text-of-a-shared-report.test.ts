import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { redactionSchema } from '@deviceportal/contract/reports';
import { actorOf, recordAudit } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { reportFilePath } from '../../../src/reports/report-files.ts';
import { previewShare, shareReport } from '../../../src/reports/sharing/share-report.ts';
import { origin, viewerWith } from '../../support/command-world.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { createReportWorld, type ReportWorld } from '../../support/report-world.ts';

const NOTE = 'The cupboard behind the counter holds the spare key';
let test: TestDatabase;
let world: ReportWorld;
let support: Viewer;
let reportId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  world = await createReportWorld(test.database);
  support = viewerWith('Support');
  const maria = await world.person('Maria Gómez', [{ serialNumber: 'SNFREETEXT1' }]);
  const [deviceId = ''] = maria.devices;
  await world.signUp(support);
  await inTransaction(test.database, (tx) =>
    recordAudit(tx, [
      {
        type: 'device.note-added',
        actor: actorOf(support, origin),
        deviceId,
        data: { text: `${NOTE}, password=hunter2` },
      },
    ]),
  );
  reportId = (await world.make(support, { personId: maria.id })).row.id;
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

async function shared(allowedTexts: readonly string[]): Promise<string> {
  const redaction = redactionSchema.parse({ allowedTexts });
  const link = await shareReport(
    world.deps,
    { viewer: support, ...origin },
    { id: reportId, redaction, validSeconds: 3_600 },
  );
  return readFile(reportFilePath(world.deps.userReportsDir, link.id, 'json'), 'utf8');
}

const preview = (allowedTexts: readonly string[] = []) =>
  previewShare(world.deps, support, {
    id: reportId,
    redaction: redactionSchema.parse({ allowedTexts }),
  });

it('a recipient cannot read free text that the sender did not allow', async () => {
  expect(await shared([])).not.toContain('cupboard');
});

it('a recipient cannot read more than the one text that the sender allowed, nor its secrets', async () => {
  const { texts } = await preview();
  const note = texts.find(({ text }) => text.includes(NOTE));
  expect(note?.text).not.toContain('hunter2');
  const json = await shared([note?.id ?? '']);
  expect(json).toContain(NOTE);
  expect(json).not.toContain('hunter2');
  expect((await preview([note?.id ?? ''])).texts).toEqual(texts);
});

it('an id of another text cannot make a text readable', async () => {
  const { texts } = await preview();
  const other = texts.filter(({ text }) => !text.includes(NOTE)).map(({ id }) => id);
  expect(await shared([...other, 'event', 'a'.repeat(22)])).not.toContain('cupboard');
});
