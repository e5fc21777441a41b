import { IMPORT_ROW_BYTES } from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';
import { isNestedDeeperThan } from '../../platform/text/is-nested-deeper-than.ts';
import { columnOfHeader } from './column-of-header.ts';
import { UnreadableFile, type FileReader, type FileRecord } from './file-record.ts';

/** Labels are an object in a row. */
const MOST_NESTING = 2;

/**
 * Reads a JSON array of objects, or one object per line (JSON Lines), an object at a time, so that memory does not grow
 * with the file.
 * @throws UnreadableFile with the number of the object
 */
export function readJson(text: AsyncIterable<string>, columns: readonly string[]): FileReader {
  const ignored = new Set<string>();
  const ignoredColumns: string[] = [];
  const ignore = (name: string): void => {
    if (ignored.has(name) || ignored.size >= 100) return;
    ignored.add(name);
    ignoredColumns.push(name.slice(0, 100));
  };
  return { ignoredColumns, records: recordsOf(text, columns, ignore) };
}

async function* recordsOf(
  text: AsyncIterable<string>,
  columns: readonly string[],
  ignore: (name: string) => void,
): AsyncGenerator<FileRecord> {
  let line = 0;
  for await (const item of objectsOf(text)) {
    line += 1;
    const values = Object.entries(parseObject(item, line)).flatMap(([name, value]) => {
      const column = columnOfHeader(name, columns);
      if (column !== undefined) return [[column, value] as const];
      ignore(name);
      return [];
    });
    yield { line, values: Object.fromEntries(values) };
  }
}

function parseObject(item: string, line: number): Record<string, unknown> {
  if (isNestedDeeperThan(item, MOST_NESTING)) throw invalid(line);
  try {
    return JSON.parse(item) as Record<string, unknown>;
  } catch (cause) {
    throw invalid(line, cause);
  }
}

const invalid = (line: number, cause?: unknown): UnreadableFile =>
  new UnreadableFile(line, refuse('import-json-invalid', { cause }));

/** The texts of the objects, in an array or not. */
async function* objectsOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  const scan = new ObjectScanner();
  for await (const piece of text) yield* scan.read(piece);
  scan.end();
}

class ObjectScanner {
  #object = '';
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isInArray = false;
  #hasEnded = false;
  /** Whether a comma came after the last object. */
  #hasComma = true;
  #count = 0;

  *read(piece: string): Generator<string> {
    let start = this.#depth > 0 ? 0 : -1;
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece[index] ?? '';
      if (this.#depth === 0) {
        if (character === '{') {
          this.#begin();
          start = index;
        } else this.#between(character);
      } else if (this.#isObjectEnd(character)) {
        const object = this.#object + piece.slice(start, index + 1);
        this.#requireShort(object.length);
        this.#object = '';
        start = -1;
        this.#count += 1;
        yield object;
      }
    }
    if (start === -1) return;
    this.#object += piece.slice(start);
    this.#requireShort(this.#object.length);
  }

  end(): void {
    if (this.#depth > 0 || (this.#isInArray && !this.#hasEnded)) throw invalid(this.#count + 1);
  }

  #begin(): void {
    if (this.#hasEnded || (this.#isInArray && !this.#hasComma)) throw invalid(this.#count + 1);
    this.#depth = 1;
    this.#hasComma = false;
  }

  #between(character: string): void {
    if (/\s/.test(character)) return;
    const isStart = this.#count === 0 && !this.#isInArray;
    if (character === '[' && isStart) this.#isInArray = true;
    else if (character === ',' && this.#isInArray && !this.#hasComma) this.#hasComma = true;
    else if (character === ']' && this.#isInArray && !this.#hasEnded) this.#hasEnded = true;
    else throw invalid(this.#count + 1);
  }

  /** Follows the text within an object. */
  #isObjectEnd(character: string): boolean {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isInText = false;
      return false;
    }
    if (character === '"') this.#isInText = true;
    else if (character === '{') this.#depth += 1;
    else if (character === '}') this.#depth -= 1;
    return this.#depth === 0;
  }

  #requireShort(length: number): void {
    if (length <= IMPORT_ROW_BYTES) return;
    const cause = refuse('import-row-too-long', { facts: { most: IMPORT_ROW_BYTES } });
    throw new UnreadableFile(this.#count + 1, cause);
  }
}
