import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { redactionSchema } from '@deviceportal/contract/reports';
import { actorOf, recordAudit } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { previewShare, shareReport } from '../../../src/reports/sharing/share-report.ts';
import { origin, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { createReportFixture, type ReportFixture } from '../../support/report-fixture.ts';

const NOTE = 'The cupboard behind the counter holds the spare key';
let test: TestDatabase;
let fixture: ReportFixture;
let support: Viewer;
let reportId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createReportFixture(test.database);
  support = viewerWith('Support');
  const maria = await fixture.person('Maria Gómez', [{ serialNumber: 'SNFREETEXT1' }]);
  const [deviceId = ''] = maria.devices;
  await fixture.signUp(support);
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
  reportId = (await fixture.make(support, { personId: maria.id })).row.id;
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

async function shared(allowedTexts: readonly string[]): Promise<string> {
  const redaction = redactionSchema.parse({ allowedTexts });
  const link = await shareReport(
    fixture.deps,
    { viewer: support, ...origin },
    { id: reportId, redaction, validSeconds: 3_600 },
  );
  return readFile(fixture.pathOf(link.id, 'json'), 'utf8');
}

const preview = (allowedTexts: readonly string[] = []) =>
  previewShare(fixture.deps, support, {
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
