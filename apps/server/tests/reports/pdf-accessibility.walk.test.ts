import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactionSchema } from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { layOutReport } from '@deviceportal/contract/user-report-layout';
import { drawPdf } from '../../src/reports/rendering/draw-pdf.ts';
import { redactReport } from '../../src/reports/sharing/redact-report.ts';
import { shareableTexts } from '../../src/reports/sharing/free-texts.ts';
import { emptyReport, fullReport } from '../support/reports/made-reports.ts';
import { lacksVeraPdf, validatePdfs } from '../support/reports/validate-pdf.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deviceportal-pdf-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function shared(report: UserReportDocument): UserReportDocument {
  const shareable = shareableTexts(report);
  return redactReport({
    ...{ report, shareable, redaction: redactionSchema.parse({}) },
    people: { names: ['Ana Kovač'], searched: shareable.texts },
  }).report;
}

const languages = ['en', 'zh-CN'] as const;
const kinds: Readonly<Record<string, (language: 'en' | 'zh-CN') => UserReportDocument>> = {
  empty: emptyReport,
  ordinary: (language) => fullReport(language, { lines: 20 }),
  long: (language) => fullReport(language, { lines: 1_000 }),
  plain: (language) => ({ ...fullReport(language, { lines: 20 }), voice: 'plain' }),
  redacted: (language) => shared(fullReport(language, { lines: 20 })),
};

async function draw(name: string, report: UserReportDocument): Promise<string> {
  const path = join(folder, `${name}.pdf`);
  await writeFile(path, await drawPdf(layOutReport(report), report.paper));
  return path;
}

describe.skipIf(lacksVeraPdf())('the PDF of a report', () => {
  it('conforms to PDF/UA-1, in both languages, empty, long, and redacted', async () => {
    const files: string[] = [];
    for (const language of languages) {
      for (const [kind, make] of Object.entries(kinds)) {
        files.push(await draw(`${kind}-${language}`, make(language)));
      }
    }
    expect(await validatePdfs(files)).toEqual({ passed: files.length, faults: [] });
  }, 240_000);

  it('does not conform without a text alternative for the map', async () => {
    const report = fullReport('en', { lines: 1 });
    const layout = layOutReport(report);
    const sections = layout.sections.map((section) => ({
      ...section,
      blocks: section.blocks.map((block) =>
        block.kind === 'map' ? { ...block, words: '' } : block,
      ),
    }));
    const path = join(folder, 'faulty.pdf');
    await writeFile(path, await drawPdf({ ...layout, sections }, 'a4'));
    const { passed, faults } = await validatePdfs([path]);
    expect(passed).toBe(0);
    expect(faults.join('\n')).toMatch(/7\.3|FAIL/);
  }, 60_000);
});

it('has no page that ends with a heading, and a title and page number on each', async () => {
  for (let lines = 1; lines <= 41; lines += 8) {
    const report = fullReport('en', { lines });
    const layout = layOutReport(report);
    const content = await drawPdf(layout, 'a4');
    const pdf = await getDocumentProxy(new Uint8Array(content));
    const { text: pages } = await extractText(pdf, { mergePages: false });
    const titles = layout.sections.map(({ title }) => title);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(layout.pageWords(index + 1, pages.length));
      expect(page).toContain(layout.footer);
      const [body = ''] = page.split(layout.portal);
      expect(
        titles.filter((title) => body.trimEnd().endsWith(title)),
        `${lines} ${index}`,
      ).toEqual([]);
    }
  }
}, 120_000);

it('shows a text of 10,000 characters completely', async () => {
  const report = fullReport('en', { lines: 1, note: `${'word '.repeat(1_900)}the-very-end` });
  const pdf = await getDocumentProxy(new Uint8Array(await drawPdf(layOutReport(report), 'a4')));
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text).toContain('the-very-end');
  expect(text.match(/\bword\b/g)).toHaveLength(1_900 + 100);
});
