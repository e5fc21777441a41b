import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import type { ReportLayout } from '@deviceportal/contract/report-blocks';
import { drawPdf } from '../../src/reports/rendering/draw-pdf.ts';

const names = ['王小明', 'Łukasz Żółw', 'Gökçe Yağız', 'Дмитрий Щука', 'Ελένη Παππά'];
const layout: ReportLayout = {
  portal: 'Device Portal',
  footer: 'Device Portal',
  utcWords: '',
  zoneWords: (zone) => zone,
  downloadWords: '',
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

it('[report-pdf-1] shows names in every script, and the table header and page number on each page', async () => {
  const pdf = await getDocumentProxy(new Uint8Array(await drawPdf(layout, 'a4')));
  const { text: pages } = await extractText(pdf, { mergePages: false });
  for (const name of names) expect(pages[0]).toContain(name);
  expect(pages.length).toBeGreaterThan(1);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain('抬头');
    expect(page).toContain(`第 ${index + 1} 页，共 ${pages.length} 页`);
  }
});

interface Tag {
  readonly role?: string;
  readonly type?: string;
  readonly alt?: string;
  readonly children?: readonly Tag[];
}

/** The tags that have content on this page, each with its ancestors: `Document/Sect/Table/TR/TH`. */
const pathsOf = ({ role = '', children = [] }: Tag, above: readonly string[] = []): string[] => {
  const path = role === 'Root' ? above : [...above, role];
  const own = children.some(({ type }) => type === 'content') ? [path.join('/')] : [];
  const parts = children.filter((child) => child.role !== undefined);
  return [...own, ...parts.flatMap((child) => pathsOf(child, path))];
};

it('declares its language, title, and structure for screen readers, which read a repeated header once', async () => {
  const pdf = await getDocumentProxy(new Uint8Array(await drawPdf(layout, 'a4')));
  const { info, metadata } = await pdf.getMetadata();
  expect(info).toMatchObject({ Title: '用户报告', Language: 'zh-CN' });
  expect(metadata?.getRaw()).toContain('<pdfuaid:part>1</pdfuaid:part>');
  expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
  const tags = async (number: number): Promise<string[]> =>
    pathsOf((await (await pdf.getPage(number)).getStructTree()) as Tag);
  const first = await tags(1);
  expect(first).toContain('Document/H1');
  expect(first).toContain('Document/Sect/H2');
  expect(first.filter((path) => path === 'Document/Sect/Table/TR/TH')).toHaveLength(2);
  expect(first).toContain('Document/Sect/Table/TR/TD');
  const second = await tags(2);
  expect(second).toContain('Document/Sect/Table/TR/TD');
  expect(second.filter((path) => path.endsWith('/TH'))).toEqual([]);
});

it('tags list entries, and gives a map a text alternative', async () => {
  const blocks: ReportLayout['sections'][number]['blocks'] = [
    { kind: 'facts', facts: [{ label: 'Owner', value: 'Ana' }] },
    { kind: 'list', items: [{ tone: 'error', toneWord: 'Bad', text: 'The disk is full' }] },
    {
      kind: 'map',
      words: 'Two devices in Berlin',
      map: {
        width: 200,
        height: 100,
        land: 'M0 0L10 10L0 10Z',
        points: [{ x: 5, y: 5, device: 'd1' }],
      },
    },
  ];
  const sections = [{ id: 'all', title: 'All', blocks }] as unknown as ReportLayout['sections'];
  const pdf = await getDocumentProxy(
    new Uint8Array(await drawPdf({ ...layout, language: 'en', sections }, 'letter')),
  );
  const tree = (await (await pdf.getPage(1)).getStructTree()) as Tag;
  const paths = pathsOf(tree);
  expect(paths.filter((path) => path === 'Document/Sect/L/LI/Lbl')).toHaveLength(2);
  expect(paths.filter((path) => path === 'Document/Sect/L/LI/LBody')).toHaveLength(2);
  expect(JSON.stringify(tree)).toContain('"alt":"Two devices in Berlin"');
});
