import type { Readable } from 'node:stream';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import {
  IMPORT_ROWS,
  importColumnsOf,
  type ImportColumn,
  type ImportDetail,
} from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { noRows } from './create-import.ts';
import { findUpload, holdUpload, updateImport, type StoredImport } from './data/import-queries.ts';
import { deleteRowsOf, insertRows, type NewRow } from './data/import-row-queries.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { kindOfRows } from './kind-of-rows.ts';
import { cellText } from './reading/cell-text.ts';
import { UnreadableFile, type FileRecord } from './reading/file-record.ts';
import { readFile } from './reading/read-file.ts';
import type { ParsedRow, RowProblem } from './row-kind.ts';
import { sealContent } from './row-content.ts';

const BATCH = 500;
const KEY_CHARACTERS = 128;

type StoreDeps = Pick<ImportsDeps, 'database' | 'imports'>;

/**
 * Reads the file of an import and stores its rows, a few hundred at a time, so that memory does not grow with the file.
 * A file that cannot be read ends the import with the reason. An interrupted transfer can be repeated.
 * @throws PortalError 2003 if no file is expected; the error of the connection
 */
export async function storeFile(deps: StoreDeps, id: string, content: Readable): Promise<void> {
  const { orm } = deps.database;
  const waiting = await findUpload(orm, id);
  if (waiting === undefined) throw new PortalError('notFound');
  await deleteRowsOf(orm, id);
  try {
    const stored = await storeRows(deps, waiting, content);
    await inUpload(deps, id, (tx) => updateImport(tx, id, { ...stored, state: 'checking' }));
  } catch (error) {
    const problem = problemOfFile(error);
    if (problem === undefined) throw error;
    await inUpload(deps, id, async (tx) => {
      await deleteRowsOf(tx, id);
      await updateImport(tx, id, { state: 'rejected', problem, hasEnded: true });
    });
  }
}

async function storeRows(
  deps: StoreDeps,
  { id, kind, encoding }: StoredImport,
  content: Readable,
): Promise<Pick<StoredImport, 'counts' | 'ignoredColumns'>> {
  const columns = importColumnsOf[kind];
  const { records, ignoredColumns } = await readFile(content, { encoding, columns });
  const { parse } = kindOfRows(kind);
  const seen = new SeenValues();
  let [rows, refused] = [0, 0];
  let batch: NewRow[] = [];
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    await inUpload(deps, id, (tx) => insertRows(tx, full));
  };
  for await (const record of records) {
    rows += 1;
    if (rows > IMPORT_ROWS) throw refuse('import-too-many-rows', { facts: { most: IMPORT_ROWS } });
    const parsed = parseRecord(record, parse, seen);
    if ('refusal' in parsed) refused += 1;
    batch.push(newRow(deps, { importId: id, key: keyOf(record, columns), record, parsed }));
    if (batch.length >= BATCH) await flush();
  }
  if (rows === 0) throw refuse('import-empty');
  await flush();
  return {
    counts: { ...noRows, rows, refused, checked: refused },
    ignoredColumns: ignoredColumns.slice(0, 50),
  };
}

/** Serializes with other requests for the same import, and ends if it no longer waits for its file. */
async function inUpload(
  { database }: StoreDeps,
  id: string,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    if (!(await holdUpload(tx, id))) throw new PortalError('notFound');
    await work(tx);
  });
}

type Parsed = ParsedRow<unknown> | RowProblem;

function parseRecord(
  { line, values }: FileRecord,
  parse: (cells: Readonly<Record<string, unknown>>) => Parsed,
  seen: SeenValues,
): Parsed {
  if (values === null) return { column: null, refusal: refuse('import-unreadable') };
  const parsed = parse(values);
  return 'refusal' in parsed ? parsed : (seen.repeated(parsed.uniques, line) ?? parsed);
}

/** Values that no two rows of a file may have, with the lines of the first ones. */
class SeenValues {
  readonly #lines = new Map<string, number>();

  repeated(uniques: ParsedRow<unknown>['uniques'], line: number): RowProblem | undefined {
    const entries = Object.entries(uniques) as [ImportColumn, string][];
    for (const [column, value] of entries) {
      const earlier = this.#lines.get(`${column} ${value}`);
      if (earlier === undefined) continue;
      return { column, refusal: refuse('import-value-repeated', { facts: { line: earlier } }) };
    }
    for (const [column, value] of entries) this.#lines.set(`${column} ${value}`, line);
    return undefined;
  }
}

function newRow(
  { imports }: StoreDeps,
  {
    importId,
    key,
    record,
    parsed,
  }: {
    readonly importId: string;
    readonly key: string | null;
    readonly record: FileRecord;
    readonly parsed: Parsed;
  },
): NewRow {
  const id = newId();
  const refusal = 'refusal' in parsed ? parsed.refusal : undefined;
  return {
    ...{ id, importId, line: record.line },
    outcome: refusal === undefined ? null : 'refused',
    reason: refusal === undefined ? null : (refusal.reason ?? 'input-invalid'),
    columnName: 'refusal' in parsed ? parsed.column : null,
    sealed: sealContent(imports.vault, id, {
      key,
      given: 'given' in parsed ? parsed.given : null,
      ...{ before: null, after: null },
      ...{ facts: refusal?.facts ?? {}, message: refusal?.message ?? '' },
    }),
  };
}

function keyOf({ values }: FileRecord, [first = '']: readonly string[]): string | null {
  const text = values === null ? undefined : cellText(values[first]);
  return text === undefined || text === '' ? null : text.slice(0, KEY_CHARACTERS);
}

/** The problem of a file that cannot be read; undefined for other errors. */
function problemOfFile(error: unknown): NonNullable<ImportDetail['problem']> | undefined {
  const line = error instanceof UnreadableFile ? error.line : null;
  const cause = error instanceof UnreadableFile ? error.cause : error;
  if (!(cause instanceof PortalError) || cause.reason === null) return undefined;
  const { reason, facts, message } = cause;
  return { line, column: null, reason, facts, message };
}
