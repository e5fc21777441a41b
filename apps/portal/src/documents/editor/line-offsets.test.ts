import { expect, test } from 'vitest';
import { lineCount, offsetOf } from './line-offsets.ts';

const text = 'a: 1\nbc: 2\n\nd';

test('[document-problems-1] a problem points at its line and column', () => {
  expect(text.slice(offsetOf(text, 2, 5))).toBe('2\n\nd');
  expect(offsetOf(text, 1, 1)).toBe(0);
  expect(text.slice(offsetOf(text, 4, 1))).toBe('d');
});

test('[document-problems-2] a place beyond a line or the text is the end of it', () => {
  expect(offsetOf(text, 1, 99)).toBe(4);
  expect(offsetOf(text, 99, 1)).toBe(text.length);
  expect(lineCount(text)).toBe(4);
});
