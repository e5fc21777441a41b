import stringWidth from 'string-width';
import { plainLine } from './plain-text.ts';

export interface TableColumn<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
}

const GAP = '  ';
const LEAST_WIDTH = 8;

/**
 * Lines of a table. Widths are those of a terminal: wide characters take two columns. Beyond the width of the terminal,
 * the widest columns are shortened.
 * @param width of the terminal; undefined if the output is not a terminal
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  width: number | undefined,
): string[] {
  const cells = [
    columns.map(({ title }) => title.toUpperCase()),
    ...rows.map((row) => columns.map(({ value }) => plainLine(String(value(row) ?? '-')) || '-')),
  ];
  const widths = fit(
    columns.map((_column, index) =>
      Math.max(...cells.map((line) => stringWidth(line[index] ?? ''))),
    ),
    width,
  );
  return cells.map((line) =>
    line
      .map((cell, index) => padEnd(shorten(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function fit(natural: readonly number[], width: number | undefined): number[] {
  const widths = [...natural];
  if (width === undefined) return widths;
  const available = width - GAP.length * (widths.length - 1);
  while (widths.reduce((sum, each) => sum + each, 0) > available) {
    const widest = Math.max(...widths);
    if (widest <= LEAST_WIDTH) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(short + segment) > width - 1) break;
    short += segment;
  }
  return `${short}…`;
}

const padEnd = (text: string, width: number): string =>
  `${text}${' '.repeat(Math.max(0, width - stringWidth(text)))}`;
