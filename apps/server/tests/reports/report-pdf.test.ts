import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import type { ReportLayout } from '@deviceportal/contract/report-blocks';
import { drawPdf } from '../../src/reports/rendering/draw-pdf.ts';

const names = ['王小明', 'Łukasz Żółw', 'Gökçe Yağız', 'Дмитрий Щука', 'Ελένη Παππά'];
const layout: ReportLayout = {
  language: 'zh-CN',
  title: '用户报告',
  subtitle: [],
  sections: [
    {
      id: 'devices',
      title: '设备',
      blocks: [
        {
          kind: 'table',
          label: '设备',
          headers: ['抬头', 'B'],
          widths: [1, 1],
          rows: Array.from({ length: 120 }, (_, row) => [
            { text: names[row % names.length] ?? '' },
            { text: `row ${row}` },
          ]),
        },
      ],
    },
  ],
  pageWords: (page, pages) => `第 ${page} 页，共 ${pages} 页`,
};

it('[report-pdf-1] names in every script can be read, and each page has the table’s header and its number', async () => {
  const pdf = await getDocumentProxy(new Uint8Array(await drawPdf(layout, 'a4')));
  const { text: pages } = await extractText(pdf, { mergePages: false });
  for (const name of names) expect(pages[0]).toContain(name);
  expect(pages.length).toBeGreaterThan(1);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain('抬头');
    expect(page).toContain(`第 ${index + 1} 页，共 ${pages.length} 页`);
  }
});
