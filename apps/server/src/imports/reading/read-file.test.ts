import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { IMPORT_FILE_BYTES, type ImportEncoding } from '@deviceportal/contract/imports';
import type { FileRecord } from './file-record.ts';
import { readFile } from './read-file.ts';

const columns = ['serialNumber', 'name', 'labels'];

async function read(
  content: string | Buffer,
  { encoding = 'unicode' as ImportEncoding, pieceBytes = 7 } = {},
) {
  const bytes = Buffer.from(content);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const { records, ignoredColumns } = await readFile(Readable.from(pieces, { objectMode: false }), {
    encoding,
    columns,
  });
  const rows: FileRecord[] = [];
  for await (const record of records) rows.push(record);
  return { ignoredColumns: [...ignoredColumns], rows };
}

const failure = async (content: string | Buffer, options = {}) => {
  const error: unknown = await read(content, options).catch((thrown: unknown) => thrown);
  const { line, cause, reason } = error as {
    line?: number;
    cause?: { reason?: string };
    reason?: string;
  };
  return [line ?? null, reason ?? cause?.reason];
};

test.each([',', ';', '\t'])('cells are separated by %j', async (separator) => {
  const text = [
    ['Serial Number', 'NAME'],
    ['A1', '"x, y; z"'],
  ];
  const { rows } = await read(text.map((cells) => cells.join(separator)).join('\r\n'));
  expect(rows).toEqual([{ line: 2, values: { serialNumber: 'A1', name: 'x, y; z' } }]);
});

test('quoted cells contain quotes and line breaks, and later rows keep their lines', async () => {
  const { rows } = await read('serialNumber,name\nA1,"Door ""A""\nleft"\n\nA2,two\n');
  expect(rows).toEqual([
    { line: 3, values: { serialNumber: 'A1', name: 'Door "A"\nleft' } },
    { line: 5, values: { serialNumber: 'A2', name: 'two' } },
  ]);
});

test('a quote within a cell that is not quoted is a character', async () => {
  const { rows } = await read('serialNumber,name\nA1,19" rack\nA2,=X("y")\n');
  expect(rows.map(({ values }) => values?.['name'])).toEqual(['19" rack', '=X("y")']);
});

test('headers are found in Chinese, and others are named', async () => {
  const { rows, ignoredColumns } = await read('序列号,名称,价格\nA1,泵,3\n');
  expect(rows).toEqual([{ line: 2, values: { serialNumber: 'A1', name: '泵' } }]);
  expect(ignoredColumns).toEqual(['价格']);
});

test('a row with more cells than the header cannot be read, and the others can', async () => {
  const { rows } = await read('serialNumber,name\nA1,one,more\nA2\n');
  expect(rows).toEqual([
    { line: 2, values: null },
    { line: 3, values: { serialNumber: 'A2', name: '' } },
  ]);
});

test('texts are read in UTF-8, UTF-16, GB18030, and Windows-1252', async () => {
  const text = 'serialNumber,name\nA1,Köln\n';
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  for (const content of [text, `\uFEFF${text}`, utf16]) {
    expect((await read(content)).rows[0]?.values).toEqual({ serialNumber: 'A1', name: 'Köln' });
  }
  const latin = Buffer.from(text, 'latin1');
  expect(await failure(latin)).toEqual([null, 'import-encoding-unknown']);
  const western = await read(latin, { encoding: 'windows-1252' });
  expect(western.rows[0]?.values).toEqual({ serialNumber: 'A1', name: 'Köln' });
  const chinese = Buffer.concat([
    Buffer.from('serialNumber,name\nA1,'),
    Buffer.from([0xb1, 0xc3, 0x0a]),
  ]);
  const gb = await read(chinese, { encoding: 'gb18030' });
  expect(gb.rows[0]?.values).toEqual({ serialNumber: 'A1', name: '泵' });
});

test('JSON is read as an array, and as one object per line', async () => {
  const values = [
    { serialNumber: 'A1', labels: { note: 'a } ] "b"' } },
    { serialNumber: 'A2', name: 'two', price: 3 },
  ];
  const lines = values.map((value) => JSON.stringify(value)).join('\n');
  for (const text of [JSON.stringify(values, null, 2), lines]) {
    const { rows, ignoredColumns } = await read(text);
    expect(rows).toEqual([
      { line: 1, values: values[0] },
      { line: 2, values: { serialNumber: 'A2', name: 'two' } },
    ]);
    expect(ignoredColumns).toEqual(['price']);
  }
});

test.each([
  ['no header', 'A1,one\n', [1, 'import-header-missing']],
  ['a repeated column', 'serialNumber,name,Name\n', [1, 'import-column-repeated']],
  ['an open quote', 'serialNumber,name\nA1,"x\n', [2, 'import-unreadable']],
  ['nothing', ' \n ', [null, 'import-empty']],
  ['an archive', Buffer.from('504b030400000000', 'hex'), [null, 'import-not-text']],
  ['an incomplete array', '[{"serialNumber":"A1"}', [2, 'import-json-invalid']],
  ['a nested array', '[[{"serialNumber":"A1"}]]', [1, 'import-json-invalid']],
  ['objects without a comma', '[{"a":1}{"a":2}]', [2, 'import-json-invalid']],
  ['deep nesting', `[{"a":${'['.repeat(50)}${']'.repeat(50)}}]`, [1, 'import-json-invalid']],
  ['text after the array', '[{"a":1}] x', [2, 'import-json-invalid']],
])('%s is rejected with its line', async (_what, content, expected) => {
  expect(await failure(content)).toEqual(expected);
});

test('a file larger than the limit is rejected while it is read', async () => {
  const line = Buffer.from(`A1,${'x'.repeat(1_000)}\n`);
  let sent = 0;
  async function* endless() {
    yield Buffer.from('serialNumber,name\n');
    for (;;) {
      sent += line.length;
      yield line;
    }
  }
  const { records } = await readFile(Readable.from(endless(), { objectMode: false }), {
    encoding: 'unicode',
    columns,
  });
  const readAll = async () => {
    for await (const record of records) expect(record.values).not.toBeNull();
  };
  await expect(readAll()).rejects.toMatchObject({ reason: 'file-too-large' });
  expect(sent).toBeLessThan(IMPORT_FILE_BYTES * 1.2);
});
