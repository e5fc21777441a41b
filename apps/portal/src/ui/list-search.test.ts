import { expect, test } from 'vitest';
import { textField } from './search-schema.ts';

test.each([
  ['a serial number of digits, which the router reads as a number', 12345, '12345'],
  ['a text', 'KS2AU00183', 'KS2AU00183'],
  ['an object', { a: 1 }, ''],
  ['a text beyond the limit', 'x'.repeat(129), ''],
])('%s is decoded, or becomes the default', (_what, value, expected) => {
  expect(textField(128)(value)).toBe(expected);
});
