import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import { drawEntry } from './draw-entry.ts';
import { drawMap } from './draw-map.ts';
import { drawStrips } from './draw-strips.ts';
import { drawTable } from './draw-table.ts';
import type { PdfPage, TextStyle } from './pdf-page.ts';

type BlockOf<Kind extends ReportBlock['kind']> = Extract<ReportBlock, { readonly kind: Kind }>;

export function drawBlock(page: PdfPage, block: ReportBlock): void {
  switch (block.kind) {
    case 'text':
      return page.paragraph(block.text);
    case 'facts':
      return drawFacts(page, block);
    case 'list':
      return drawList(page, block);
    case 'output':
      return drawOutput(page, block);
    case 'table':
      return drawTable(page, block);
    case 'strips':
      return drawStrips(page, block);
    case 'map':
      return drawMap(page, block);
  }
}

const COLUMNS = 3;

function drawFacts(page: PdfPage, { facts }: BlockOf<'facts'>): void {
  const { document } = page;
  const width = page.width / COLUMNS;
  const inner = width - 10;
  page.within('L', () => {
    for (let at = 0; at < facts.length; at += COLUMNS) {
      const row = facts.slice(at, at + COLUMNS);
      const labelHeight = page.heightOf('X', inner, { size: 'small' });
      const sizes = row.map(({ value }) => sizeFor(page, value, inner));
      const heights = row.map(({ value }, index) => page.heightOf(value, inner, sizes[index]));
      const height = labelHeight + Math.max(...heights);
      page.room(height);
      const top = document.y;
      for (const [index, { label, value }] of row.entries()) {
        const x = page.left + index * width;
        drawEntry(page, {
          label: () =>
            page.textAt(label, { x, y: top, width: inner }, { size: 'small', color: 'muted' }),
          body: () => page.textAt(value, { x, y: top + labelHeight, width: inner }, sizes[index]),
        });
      }
      document.y = top + height + 6;
    }
  });
}

/** An identifier that does not fit on a line is smaller rather than broken. */
const sizeFor = (page: PdfPage, value: string, width: number): TextStyle =>
  /\s/.test(value) || page.widthOf(value) < width ? {} : { size: 'small' };

const TONE_WIDTH = 52;

function drawList(page: PdfPage, { items }: BlockOf<'list'>): void {
  const { document } = page;
  page.within('L', () => {
    for (const { tone, toneWord, text } of items) {
      const indent = toneWord === '' ? 0 : TONE_WIDTH;
      const width = page.width - indent;
      const height = page.heightOf(text, width);
      page.room(height);
      const top = document.y;
      const style = { color: tone, weight: 700 } as const;
      drawEntry(page, {
        ...(indent > 0 && {
          label: () => page.textAt(toneWord, { x: page.left, y: top, width: indent }, style),
        }),
        body: () => page.textAt(text, { x: page.left + indent, y: top, width }),
      });
      document.y = top + height + 3;
    }
  });
}

/** Line by line, so that long output continues on the next page. */
function drawOutput(page: PdfPage, { title, text }: BlockOf<'output'>): void {
  page.document.y += 4;
  page.paragraph(title, { weight: 700 });
  for (const line of text.split('\n'))
    page.paragraph(line.replaceAll('\t', '  '), { size: 'small' });
}
