import { CsvError, parse, type Info } from 'csv-parse';
import { IMPORT_ROW_BYTES } from '@deviceportal/contract/imports';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { columnOfHeader } from './column-of-header.ts';
import { UnreadableFile, type FileReader, type FileRecord } from './file-record.ts';

interface Row {
  readonly record: readonly string[];
  readonly info: Pick<Info, 'lines'>;
}

/**
 * Reads CSV (RFC 4180) with a header line, separated by commas, semicolons, or tabs. Lines and quotes that do not end
 * are found by their length, so that memory does not grow with them.
 * @param text in pieces; the first one begins with the header
 * @throws UnreadableFile
 */
export async function readCsv(
  text: AsyncIterable<string>,
  columns: readonly string[],
): Promise<FileReader> {
  const pieces = text[Symbol.asyncIterator]();
  const start = await readHeaderLine(pieces);
  const rows = parseRows(joined(start, pieces), delimiterOf(start))[Symbol.asyncIterator]();
  const header = (await rows.next()).value as Row | undefined;
  const mapped = (header?.record ?? []).map((name) => columnOfHeader(name, columns));
  requireColumns(mapped, columns);
  return {
    ignoredColumns: (header?.record ?? []).filter(
      (name, index) => mapped[index] === undefined && name.trim() !== '',
    ),
    records: recordsOf({ [Symbol.asyncIterator]: () => rows }, mapped),
  };
}

async function* recordsOf(
  rows: AsyncIterable<Row>,
  mapped: readonly (string | undefined)[],
): AsyncGenerator<FileRecord> {
  for await (const { record, info } of rows) {
    const values = Object.fromEntries(
      mapped.flatMap((column, index) =>
        column === undefined ? [] : [[column, record[index] ?? '']],
      ),
    );
    yield { line: info.lines, values: record.length > mapped.length ? null : values };
  }
}

function requireColumns(mapped: readonly (string | undefined)[], columns: readonly string[]): void {
  const [first = ''] = columns;
  if (!mapped.includes(first)) {
    const cause = refuse('import-header-missing', { facts: { columns: columns.join(', ') } });
    throw new UnreadableFile(1, cause);
  }
  const repeated = mapped.find(
    (column, index) => column !== undefined && mapped.indexOf(column) !== index,
  );
  if (repeated === undefined) return;
  throw new UnreadableFile(1, refuse('import-column-repeated', { facts: { column: repeated } }));
}

async function* parseRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    // A quote within a cell that is not quoted is a character, such as of inches.
    relax_quotes: true,
    max_record_size: IMPORT_ROW_BYTES,
  });
  const feeding = (async () => {
    for await (const piece of text) {
      if (parser.destroyed) return;
      if (!parser.write(piece)) await drained(parser);
    }
    parser.end();
  })();
  feeding.catch((error: Error) => parser.destroy(error));
  try {
    for await (const row of parser) yield row as Row;
    await feeding;
  } catch (error) {
    throw asUnreadable(error, parser.info.lines);
  } finally {
    parser.destroy();
  }
}

const drained = (parser: ReturnType<typeof parse>): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      parser.off('drain', done);
      parser.off('close', done);
      resolve();
    };
    parser.on('drain', done);
    parser.on('close', done);
  });

function asUnreadable(error: unknown, line: number): unknown {
  if (error instanceof PortalError || error instanceof UnreadableFile) return error;
  if (!(error instanceof CsvError)) return error;
  const { code, lines } = error as CsvError & { readonly lines?: number };
  const cause =
    code === 'CSV_MAX_RECORD_SIZE'
      ? refuse('import-row-too-long', { facts: { most: IMPORT_ROW_BYTES }, cause: error })
      : refuse('import-unreadable', { cause: error });
  return new UnreadableFile(lines ?? line, cause);
}

/** Reads until the first line has ended. */
async function readHeaderLine(pieces: AsyncIterator<string>): Promise<string> {
  let start = '';
  while (!/\n|\r/.test(start.trimStart()) && start.length < IMPORT_ROW_BYTES) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    start += value;
  }
  return start.trimStart();
}

async function* joined(start: string, pieces: AsyncIterator<string>): AsyncGenerator<string> {
  yield start;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    yield next.value;
  }
}

/** The separator that is most frequent in the header. */
function delimiterOf(start: string): string {
  const [header = ''] = start.split(/[\n\r]/, 1);
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  const count = (character: string): number => unquoted.split(character).length;
  const [best = ','] = [',', ';', '\t'].toSorted((one, other) => count(other) - count(one));
  return best;
}
