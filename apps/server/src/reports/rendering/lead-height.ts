import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import { columnWidths, rowHeight } from './draw-table.ts';
import { mapHeight } from './draw-map.ts';
import type { PdfPage } from './pdf-page.ts';

const LINES = 30;
const STRIPS = 60;

/** Height of the beginning of a block, which is not separated from its heading. */
export function leadHeight(page: PdfPage, block: ReportBlock | undefined): number {
  if (block?.kind === 'map') return mapHeight(page, block);
  if (block?.kind === 'strips') return STRIPS;
  if (block?.kind !== 'table') return LINES;
  const widths = columnWidths(page, block);
  const first = block.rows[0]?.map(({ text }) => text) ?? [];
  const height = rowHeight(page, block.headers, widths) + rowHeight(page, first, widths);
  return Math.min(height + 8, page.capacity / 2);
}
