import { expect, test } from 'vitest';
import { parseImport } from './parse-import.ts';

const HEADER = 'serialNumber,name,model,ownerEmail,country,labels\n';
const problemsOf = (csv: string) =>
  parseImport(csv).problems.map(({ line, column, reason, facts }) => ({
    line,
    column,
    reason,
    facts,
  }));

test('a quoted cell can contain commas and quotes', () => {
  const { lines, problems } = parseImport(`${HEADER}ABC0001,"Door ""A"", left",,,,\n`);
  expect(lines).toMatchObject([{ line: 2, serialNumber: 'ABC0001', name: 'Door "A", left' }]);
  expect(problems).toEqual([]);
});

test('a quoted cell can contain line breaks, and later lines keep their numbers', () => {
  const { lines, problems } = parseImport(
    `${HEADER}ABC0001,"Door\nupstairs",,,,\nx,,,,,\nABC0002,,,,,\n`,
  );
  expect(problems).toMatchObject([
    { line: 3, column: 'name', reason: 'text-invalid' },
    { line: 4, column: 'serialNumber' },
  ]);
  expect(lines).toMatchObject([{ line: 5, serialNumber: 'ABC0002' }]);
});

test.each([
  ['x,,,,,', 'serialNumber', 'serial-number-invalid', {}],
  [`ABC0001,${'n'.repeat(129)},,,,`, 'name', 'text-invalid', { most: 128 }],
  ['ABC0001,,mo\u202Edel,,,', 'model', 'text-invalid', { most: 128 }],
  ['ABC0001,,,,Atlantis,', 'country', 'country-invalid', {}],
  ['ABC0001,,,,,=lab', 'labels', 'labels-invalid', { most: 50 }],
])('%s is reported with its column', (text, column, reason, facts) => {
  expect(problemsOf(HEADER + text)).toEqual([{ line: 2, column, reason, facts }]);
});

test('a repeated serial number is reported with the earlier line', () => {
  expect(problemsOf(`${HEADER}ABC0001,,,,,\nabc0001,,,,,`)).toEqual([
    {
      line: 3,
      column: 'serialNumber',
      reason: 'serial-number-repeated',
      facts: { line: 2, serialNumber: 'ABC0001' },
    },
  ]);
});

test('a file without a header, or that is not CSV, is rejected as a whole', () => {
  expect(problemsOf('ABC0001,Door\n')).toMatchObject([
    { line: 1, column: null, reason: 'import-header-missing' },
  ]);
  expect(problemsOf(`${HEADER}ABC0001,"Door\n`)).toMatchObject([
    { column: null, reason: 'import-unreadable' },
  ]);
});
