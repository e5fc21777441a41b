import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCaseInput } from '@deviceportal/contract/cases';
import { everywhere } from '@deviceportal/contract/permissions';
import { redactionSchema, type Redaction } from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { addCaseNote } from '../../src/cases/add-case-note.ts';
import { closeCase } from '../../src/cases/close-case.ts';
import { openCase } from '../../src/cases/open-case.ts';
import { caseLayout } from '../../src/evidence/layouts/case-layout.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { previewShare, shareReport } from '../../src/reports/sharing/share-report.ts';
import {
  addSharedReportRoutes,
  signShareUrl,
} from '../../src/reports/sharing/shared-report-routes.ts';
import { origin, viewerHolding, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createReportFixture, type ReportFixture } from '../support/report-fixture.ts';
import {
  createEvidenceFixture,
  type EvidenceFixture,
} from '../support/reports/evidence-fixture.ts';

const NOTE = 'The printer drawer was open';
const SECRET = 'Ana Kovač says password=hunter2';

let test: TestDatabase;
let reports: ReportFixture;
let evidence: EvidenceFixture;
let app: FastifyInstance;
let caseId: string;
let reportId: string;
let document: UserReportDocument;
const support = viewerWith('Support');
const caller = { viewer: support, ...origin };

beforeAll(async () => {
  test = await createTestDatabase();
  reports = await createReportFixture(test.database);
  evidence = await createEvidenceFixture(test);
  const signer = createUrlSigner(randomBytes(32), () => new Date());
  Object.assign(reports.deps, {
    signShareUrl: (id: string, seconds: number) =>
      signShareUrl({ signer, publicUrl: 'http://portal.example' }, id, seconds),
  });
  app = Fastify();
  const { database, userReportFiles, clock } = reports.deps;
  addSharedReportRoutes(app, { database, userReportFiles, signer, clock });
  await reports.person('Ana Kovač', []);
  const maria = await reports.person('Maria Gómez', [{ serialNumber: 'SNCASE1', country: 'DE' }]);
  await reports.signUp(support);
  const asked = { personId: maria.id, ticket: 'T-4711', about: 'does not print' };
  const opened = await openCase(reports.deps, caller, openCaseInput.parse(asked));
  caseId = opened.id;
  for (const text of [NOTE, SECRET]) await addCaseNote(reports.deps, caller, { id: caseId, text });
  await closeCase(reports.deps, caller, { id: caseId, outcome: 'resolved', text: 'Drawer closed' });
  const made = await reports.make(support, { personId: maria.id, caseId, language: 'en' });
  reportId = made.row.id;
  ({ document } = made);
});
afterAll(async () => {
  await app.close();
  await evidence[Symbol.asyncDispose]();
  await reports[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

const evidenceFor = (viewer: Viewer): Promise<string> =>
  evidence.reportText(viewer, { id: caseId, kind: 'case', layOut: caseLayout, language: 'en' });

async function pdfTextOf(file: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(file));
  return (await extractText(pdf, { mergePages: true })).text;
}

/** A shared copy as its recipient gets it. */
async function shared(redaction: Redaction) {
  const link = await shareReport(reports.deps, caller, {
    ...{ id: reportId, redaction, validSeconds: 3_600 },
  });
  const { pathname, search } = new URL(link.url);
  const { body } = await app.inject({ method: 'GET', url: `${pathname}${search}` });
  const read = (kind: 'json' | 'pdf') => readFile(reports.pathOf(link.id, kind));
  return {
    json: (await read('json')).toString(),
    html: body
      .slice(body.indexOf('<main>'))
      .replace(/<script>[^]*/, '')
      .replaceAll(/<[^>]+>/g, ' '),
    pdf: await pdfTextOf(await read('pdf')),
  };
}

/** Lines of a PDF break anywhere. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('the report of a case', () => {
  it('has the same entries, person, and result in the evidence, and in the report of its user', async () => {
    const text = flat(await evidenceFor(support));
    const pdf = flat(await pdfTextOf(await readFile(reports.pathOf(reportId, 'pdf'))));
    const entries = document.case?.entries ?? [];
    expect(entries.map(({ kind }) => kind)).toEqual(['opened', 'note', 'note', 'closed']);
    expect(document.case).toMatchObject({ ticket: 'T-4711', about: 'does not print' });
    for (const file of [text, pdf]) {
      for (const entry of entries) expect(file).toContain(flat(entry.text));
      for (const fact of ['T-4711', 'does not print', NOTE, SECRET]) expect(file).toContain(fact);
    }
    expect(text).toContain('Drawer closed');
  });

  it('names the person by a second fact in the title, because two people may have the same name', async () => {
    const [text, pdf] = [
      await evidenceFor(support),
      await pdfTextOf(await readFile(reports.pathOf(reportId, 'pdf'))),
    ].map(flat);
    expect(text).toContain('Case for Maria Gómez (maria.gómez@customer.example)');
    expect(pdf).toContain('Maria Gómez (maria.gómez@customer.example)');
  });

  it('masks name and second fact for a reader without the right to see people', async () => {
    const grants = support.grants.map((grant) => ({
      ...grant,
      permissions: grant.permissions.filter((permission) => permission !== 'people:read'),
    }));
    const text = flat(await evidenceFor(viewerHolding(grants, 'Reader')));
    expect(text).toContain('Case for M');
    expect(text).not.toMatch(/Gómez|customer\.example/);
  });
});

describe('a shared report of a case', () => {
  const redaction = redactionSchema.parse({});

  it('hides texts, people, and contacts, and states it in the same words, in JSON, HTML, and PDF', async () => {
    const files = await shared(redaction);
    for (const text of Object.values(files).map(flat)) {
      expect(text).not.toMatch(/hunter2|Kova|drawer|support@deviceportal|customer\.example/i);
      expect(text).toContain('Maria Gómez');
      expect(text).toContain('T-4711');
      expect(text).toContain('Hidden by the sender');
    }
    const copy = JSON.parse(files.json) as UserReportDocument;
    expect(copy.case?.entries).toHaveLength(document.case?.entries.length ?? 0);
    expect(copy.case?.entries.every(({ actor }) => actor === 'Hidden by the sender')).toBe(true);
    for (const text of [files.html, files.pdf].map(flat)) {
      for (const entry of copy.case?.entries ?? []) expect(text).toContain(flat(entry.text));
      expect(text).toMatch(/Hidden by the sender ?: passwords, tokens, and other secrets;/);
    }
  });

  it('shows an allowed text, and still no secret or other person in it, in each of them', async () => {
    const { texts } = await previewShare(reports.deps, support, { id: reportId, redaction });
    const allowedTexts = texts.filter(({ kind }) => kind === 'case-entry').map(({ id }) => id);
    expect(allowedTexts.length).toBeGreaterThanOrEqual(2);
    const files = await shared({ ...redaction, allowedTexts });
    for (const text of Object.values(files).map(flat)) {
      expect(text).toContain(NOTE);
      expect(text).toContain('[Hidden by the sender]');
      expect(text).not.toMatch(/hunter2|Kova/);
    }
  });
});

describe('a reader without rights to a case', () => {
  it.each([
    ['whose scope has none of the person’s devices', { ...everywhere, countries: ['FR'] }],
    ['whose scope is another model', { ...everywhere, models: ['another'] }],
  ])('%s gets no report', async (_what, scope) => {
    await expect(evidenceFor(viewerWith('Support', scope))).rejects.toMatchObject({ code: 2003 });
  });
});
