import { expect, it } from 'vitest';
import { matchesAll } from './matches-all.ts';

it('[pattern-1] every text must match', () => {
  expect(matchesAll('^[a-z]+$', ['abc', 'def'])).toBe(true);
  expect(matchesAll('^[a-z]+$', ['abc', 'D'])).toBe(false);
  expect(matchesAll('^[a-z]+$', [])).toBe(true);
});

it('stops a pattern with exponential backtracking, and matches the next one', () => {
  const startedMs = performance.now();
  expect(matchesAll('^(a+)+$', [`${'a'.repeat(60)}!`])).toBe(false);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(matchesAll('^a$', ['a'])).toBe(true);
});

it('an invalid pattern matches nothing', () => {
  expect(matchesAll('(', ['('])).toBe(false);
});
