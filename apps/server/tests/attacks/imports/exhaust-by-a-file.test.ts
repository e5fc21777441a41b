import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IMPORT_ROWS } from '@deviceportal/contract/imports';
import { createImport } from '../../../src/imports/create-import.ts';
import { getImport } from '../../../src/imports/get-import.ts';
import { storeFile } from '../../../src/imports/store-file.ts';
import { administrator, callerOf } from '../../devices/viewer-with.ts';
import { ImportFixture } from '../../imports/import-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { longestTurnDuring } from '../longest-turn-during.ts';

const MIB = 1_048_576;
const LIMIT_MS = 120_000;

let db: TestDatabase;
let imports: ImportFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  imports = new ImportFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

/** Sends pieces, and returns what became of the import and the bytes that were read. */
async function send(pieces: Iterable<string>, userId: string) {
  const viewer = { ...administrator, userId };
  const { id } = await createImport(imports.deps, callerOf(viewer), {
    ...{ kind: 'devices', encoding: 'unicode', fileName: 'file' },
  });
  let bytes = 0;
  const content = Readable.from(
    (function* () {
      for (const piece of pieces) {
        bytes += piece.length;
        yield Buffer.from(piece);
      }
    })(),
    { objectMode: false },
  );
  await storeFile(imports.deps, id, content);
  return { detail: await getImport(imports.deps, viewer, { id }), bytes };
}

function* endless(start: string, piece: string): Generator<string> {
  yield start;
  for (;;) yield piece;
}
const user = (last: string) => `01900000-0000-7000-8000-0000000000${last}`;

test.each([
  ['a line', 'serialNumber,name\nA0001,', 'x'.repeat(10_000), 'import-row-too-long'],
  ['a quoted cell', 'serialNumber,name\nA0001,"', '\n'.repeat(10_000), 'import-row-too-long'],
  ['a header', 'serialNumber', ',x'.repeat(5_000), 'import-row-too-long'],
  ['a JSON text', '[{"serialNumber":"', 'x'.repeat(10_000), 'import-row-too-long'],
  ['JSON brackets', '[{"serialNumber":', '{"a":'.repeat(2_000), 'import-row-too-long'],
])('%s that does not end is rejected after a few pieces', async (what, start, piece, reason) => {
  const { detail, bytes } = await send(endless(start, piece), user(String(20 + what.length)));
  expect(detail).toMatchObject({ state: 'rejected', problem: { reason } });
  expect(bytes).toBeLessThan(MIB);
});

test(
  'more rows than the limit are rejected, and none of them is kept',
  async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => `S${1_000 + index}\n`).join('');
    const { detail } = await send(endless('serialNumber\n', rows), user('11'));
    expect(detail).toMatchObject({
      state: 'rejected',
      problem: { reason: 'import-too-many-rows', facts: { most: IMPORT_ROWS } },
    });
    const { rows: kept } = await db.database.pool.query(
      'select count(*)::int from data_import_row',
    );
    expect(kept).toEqual([{ count: 0 }]);
  },
  LIMIT_MS,
);

test(
  '100,000 rows are stored without stalling other requests',
  async () => {
    function* file(): Generator<string> {
      yield 'serialNumber,name,model,country\n';
      for (let line = 0; line < IMPORT_ROWS; line += 500) {
        yield Array.from(
          { length: 500 },
          (_, index) => `BULK${String(line + index).padStart(6, '0')},Pump,Edge 5,DE\n`,
        ).join('');
      }
    }
    const [{ detail }, longestMs] = await longestTurnDuring(() => send(file(), user('12')));
    expect(detail).toMatchObject({ state: 'checking', counts: { rows: IMPORT_ROWS } });
    expect(longestMs).toBeLessThan(200);
  },
  LIMIT_MS,
);

test('unfinished imports of a user are limited, also for requests at the same time', async () => {
  const caller = callerOf({ ...administrator, userId: user('13') });
  const input = { kind: 'devices', encoding: 'unicode', fileName: 'file' } as const;
  const created = await Promise.allSettled(
    Array.from({ length: 20 }, () => createImport(imports.deps, caller, input)),
  );
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});
