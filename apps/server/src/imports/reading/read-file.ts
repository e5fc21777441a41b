import type { Readable } from 'node:stream';
import { IMPORT_FILE_BYTES, type ImportEncoding } from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';
import { decodeText } from './decode-text.ts';
import type { FileReader } from './file-record.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';

/**
 * Reads a file as JSON if its first character begins JSON, otherwise as CSV.
 * @throws PortalError or UnreadableFile if it cannot be read; also while its records are read
 */
export async function readFile(
  content: Readable,
  { encoding, columns }: { readonly encoding: ImportEncoding; readonly columns: readonly string[] },
): Promise<FileReader> {
  const pieces = decodeText(limited(content), encoding);
  let start = '';
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    start += next.value;
    if (start.trim() !== '') break;
  }
  if (start.trim() === '') throw refuse('import-empty');
  const text = startingWith(start, pieces);
  return /^[[{]/.test(start.trimStart()) ? readJson(text, columns) : readCsv(text, columns);
}

async function* startingWith(start: string, pieces: AsyncGenerator<string>) {
  yield start;
  yield* pieces;
}

async function* limited(content: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // The caller decides what becomes of the rest of a file that cannot be read.
  const pieces: AsyncIterable<Uint8Array> = content.iterator({ destroyOnReturn: false });
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > IMPORT_FILE_BYTES) {
      throw refuse('file-too-large', { facts: { limitBytes: IMPORT_FILE_BYTES } });
    }
    yield piece;
  }
}
