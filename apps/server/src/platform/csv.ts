import { stringify } from 'csv-stringify/sync';

type CsvValue = string | number | boolean | null;

/** The columns of a table: the header, and a row's value below it. */
export type CsvColumns<Row> = readonly (readonly [header: string, value: (row: Row) => CsvValue])[];

/** A text that a spreadsheet would run as a formula gets an apostrophe in front; a number stays a number. */
const format = {
  record_delimiter: '\r\n',
  quote_record_delimiter: true,
  escape_formulas: true,
  cast: { boolean: String },
} as const;

/** The header line of a table as CSV (RFC 4180). */
export function csvHeader<Row>(columns: CsvColumns<Row>): string {
  return stringify([columns.map(([header]) => header)], format);
}

/** A line of CSV for each row, with line ends. */
export function csvLines<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  return stringify(
    rows.map((row) => columns.map(([, value]) => value(row))),
    format,
  );
}

/** A row's cells without the line end, for a line that goes on with {@link csvTextCell}. */
export function csvCells<Row>(columns: CsvColumns<Row>, row: Row): string {
  return stringify([columns.map(([, value]) => value(row))], { ...format, eof: false });
}

/** A text in pieces as one quoted cell; no cell at all where there is no piece. */
export async function* csvTextCell(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isBegun = false;
  for await (const piece of pieces) {
    if (piece === '') continue;
    const options = { escape_formulas: !isBegun, quoted: true, eof: false };
    yield `${isBegun ? '' : '"'}${stringify([[piece]], options).slice(1, -1)}`;
    isBegun = true;
  }
  if (isBegun) yield '"';
}
