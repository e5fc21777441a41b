import { expect, test } from 'vitest';
import { lineCount, offsetOf } from './line-offsets.ts';

const text = 'a: 1\nbc: 2\n\nd';

test('converts a line and column to an offset', () => {
  expect(text.slice(offsetOf(text, 2, 5))).toBe('2\n\nd');
  expect(offsetOf(text, 1, 1)).toBe(0);
  expect(text.slice(offsetOf(text, 4, 1))).toBe('d');
});

test('limits a position beyond a line or the text to its end', () => {
  expect(offsetOf(text, 1, 99)).toBe(4);
  expect(offsetOf(text, 99, 1)).toBe(text.length);
  expect(lineCount(text)).toBe(4);
});
