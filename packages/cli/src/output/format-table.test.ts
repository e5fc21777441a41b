import { expect, test } from 'vitest';
import { formatTable } from './format-table.ts';

const columns = [
  { title: 'name', value: ({ name }: { name: string }) => name },
  { title: 'state', value: ({ state }: { state: string | null }) => state },
];

test('wide characters take two columns of the terminal', () => {
  expect(
    formatTable(
      [
        { name: '咖啡机', state: 'online' },
        { name: 'till', state: null },
      ],
      columns,
      undefined,
    ),
  ).toEqual(['NAME    STATE', '咖啡机  online', 'till    -']);
});

test('the widest column is shortened to the width of the terminal', () => {
  const [, row = ''] = formatTable([{ name: '咖啡机'.repeat(10), state: 'online' }], columns, 20);
  expect(row).toBe('咖啡机咖啡…   online');
});

test.each(['\u001B[2J', '\u009B31m', 'a\rb', '\u202Eabc', '\u0007'])(
  'a text cannot control the terminal: %j',
  (name) => {
    const text = formatTable([{ name, state: '' }], columns, undefined).join('\n');
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
  },
);
