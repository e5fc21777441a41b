import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvHeader, csvLines, csvTextCell, type CsvColumns } from './csv.ts';

interface Place {
  readonly name: string | null;
  readonly longitude: number;
  readonly precise: boolean;
}
const columns: CsvColumns<Place> = [
  ['name', (row) => row.name],
  ['longitude', (row) => row.longitude],
  ['precise', (row) => row.precise],
];
const lineOf = (name: string | null) =>
  csvLines(columns, [{ name, longitude: -73.98, precise: true }]);

it('a text that a spreadsheet would run as a formula gets an apostrophe, full-width forms included', () => {
  for (const first of ['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'])
    expect(lineOf(`${first}cmd|' /C calc'!A0`)).toBe(`'${first}cmd|' /C calc'!A0,-73.98,true\r\n`);
  expect(lineOf('\r=cmd')).toBe(`"'\r=cmd",-73.98,true\r\n`);
  expect(lineOf('-2')).toMatch(/^'-2,/);
});

it('a number below zero stays a number', () => {
  expect(lineOf(null)).toBe(',-73.98,true\r\n');
});

it('a table without rows is its header', () => {
  expect(csvHeader(columns) + csvLines(columns, [])).toBe('name,longitude,precise\r\n');
});

it('quotes, commas and line breaks within a text come back as they were', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '＂', '🚀') });
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1 }), (names) => {
      const rows = names.map((name) => ({ name: `x${name}`, longitude: 0, precise: false }));
      const read = parse(csvLines(columns, rows));
      expect(read.map(([name]) => name)).toEqual(rows.map(({ name }) => name));
    }),
  );
});

it('only the beginning of a text in pieces can be a formula', async () => {
  async function* pieces() {
    yield '=1"';
    yield '';
    yield '-2';
  }
  const cell: string[] = [];
  for await (const piece of csvTextCell(pieces())) cell.push(piece);
  expect(cell.join('')).toBe(`"'=1""-2"`);
});
