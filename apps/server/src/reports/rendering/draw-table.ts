import type { ReportTable } from '@deviceportal/contract/report-blocks';
import { pdfColors } from './pdf-colors.ts';
import type { PdfPage } from './pdf-page.ts';

const PADDING = 3;

/** A table whose header is repeated on every page, and whose rows are not split. */
export function drawTable(page: PdfPage, table: ReportTable): void {
  const { document } = page;
  const total = table.widths.reduce((sum, width) => sum + width, 0);
  const widths = table.widths.map((width) => (width / total) * page.width);
  const header = (): void => drawRow(page, { cells: table.headers, widths, isHeader: true });
  document.y += 4;
  page.room(40);
  page.within('Table', () => {
    page.within('TR', header);
    for (const row of table.rows) {
      const cells = row.map(({ text }) => text);
      if (page.room(rowHeight(page, cells, widths)))
        page.unread(() => drawAgain(page, table.headers, widths));
      page.within('TR', () => drawRow(page, { cells, widths, isHeader: false }));
    }
  });
  document.y += 4;
}

/** The header on a further page of a table: visible again, but read aloud only once. */
function drawAgain(page: PdfPage, cells: readonly string[], widths: readonly number[]): void {
  drawCells(page, { cells, widths, isHeader: true }, (_unread, draw) => draw());
}

function rowHeight(page: PdfPage, cells: readonly string[], widths: readonly number[]): number {
  const heights = cells.map((cell, index) =>
    page.heightOf(cell, (widths[index] ?? 0) - 2 * PADDING, { size: 'small' }),
  );
  return Math.max(...heights) + 2 * PADDING;
}

interface Row {
  readonly cells: readonly string[];
  readonly widths: readonly number[];
  readonly isHeader: boolean;
}

function drawRow(page: PdfPage, row: Row): void {
  drawCells(page, row, (unread, draw) => {
    if (unread) page.unread(draw);
    else if (row.isHeader) page.tagged('TH', draw, { scope: 'Column' });
    else page.tagged('TD', draw);
  });
}

/** @param put draws a part of a cell, tagged either as an artifact or as a cell */
function drawCells(
  page: PdfPage,
  { cells, widths, isHeader }: Row,
  put: (unread: boolean, draw: () => void) => void,
): void {
  const { document } = page;
  const height = rowHeight(page, cells, widths);
  const top = document.y;
  if (isHeader)
    put(true, () => document.rect(page.left, top, page.width, height).fill(pdfColors.shade));
  let x = page.left;
  for (const [index, cell] of cells.entries()) {
    const width = widths[index] ?? 0;
    const at = { x: x + PADDING, y: top + PADDING, width: width - 2 * PADDING };
    put(false, () => page.textAt(cell, at, { size: 'small', weight: isHeader ? 700 : 400 }));
    x += width;
  }
  const bottom = top + height;
  put(true, () => {
    const line = document.moveTo(page.left, bottom).lineTo(page.left + page.width, bottom);
    line.lineWidth(0.5).stroke(pdfColors.line);
  });
  document.y = bottom;
}
