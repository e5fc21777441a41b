import { expect, test } from 'vitest';
import { typingDistance } from './typing-distance.ts';

test('counts a transposition as one edit and stops at the limit', () => {
  expect(typingDistance('gonzalez', 'gonzales', 2)).toBe(1);
  expect(typingDistance('gonzalez', 'gnozales', 2)).toBe(2);
  expect(typingDistance('anna', 'anna', 2)).toBe(0);
  expect(typingDistance('anna', 'berg', 2)).toBe(3);
  expect(typingDistance('', 'ab', 2)).toBe(2);
});
