import type { ReportTable } from '@deviceportal/contract/report-blocks';
import { pdfColors } from './pdf-colors.ts';
import type { PdfPage } from './pdf-page.ts';

const PADDING = 3;
const PIECE_LINES = 40;

/** A table whose header is repeated on every page. A row is split only if it is higher than a page. */
export function drawTable(page: PdfPage, table: ReportTable): void {
  const { document } = page;
  const widths = columnWidths(page, table);
  const header = (): void => drawRow(page, { cells: table.headers, widths, isHeader: true });
  const headerHeight = rowHeight(page, table.headers, widths);
  const rows = table.rows.flatMap((row) =>
    splitRow(page, {
      cells: row.map(({ text }) => text),
      widths,
      most: page.capacity - headerHeight,
    }),
  );
  document.y += 4;
  page.room(headerHeight + rowHeight(page, rows[0] ?? [], widths));
  page.within('Table', () => {
    page.within('TR', header);
    for (const cells of rows) {
      if (page.room(rowHeight(page, cells, widths)))
        page.unread(() => drawAgain(page, table.headers, widths));
      page.within('TR', () => drawRow(page, { cells, widths, isHeader: false }));
    }
  });
  document.y += 4;
}

export function columnWidths(page: PdfPage, { widths }: ReportTable): number[] {
  const total = widths.reduce((sum, width) => sum + width, 0);
  return widths.map((width) => (width / total) * page.width);
}

const PIECE_CHARACTERS = 1_500;

/** A row that fits on a page, or its pieces. */
function splitRow(
  page: PdfPage,
  {
    cells,
    widths,
    most,
  }: {
    readonly cells: readonly string[];
    readonly widths: readonly number[];
    readonly most: number;
  },
): (readonly string[])[] {
  if (rowHeight(page, cells, widths) <= most) return [cells];
  const pieces = cells.map((cell) => piecesOf(cell));
  const count = Math.max(...pieces.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) => pieces.map((each) => each[index] ?? ''));
}

/** Pieces of a long text, each of whole lines or words. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > PIECE_CHARACTERS) {
    const head = rest.slice(0, PIECE_CHARACTERS);
    const lines = head.split('\n').slice(0, PIECE_LINES).join('\n');
    const blank = lines.length < head.length ? lines.length : head.search(/\s\S*$/);
    const end = blank > 0 ? blank : PIECE_CHARACTERS;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}

/** The header on a further page of a table: visible again, but read aloud only once. */
function drawAgain(page: PdfPage, cells: readonly string[], widths: readonly number[]): void {
  drawCells(page, { cells, widths, isHeader: true }, (_unread, draw) => draw());
}

export function rowHeight(
  page: PdfPage,
  cells: readonly string[],
  widths: readonly number[],
): number {
  const heights = cells.map((cell, index) =>
    page.heightOf(cell, (widths[index] ?? 0) - 2 * PADDING, { size: 'small' }),
  );
  return Math.max(0, ...heights) + 2 * PADDING;
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
