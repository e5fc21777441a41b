import { expect, test } from 'vitest';
import { isNestedDeeperThan } from './is-nested-deeper-than.ts';

test.each([
  ['null', 0, false],
  ['[]', 0, true],
  ['[{"a":[1]}]', 3, false],
  ['[{"a":[1]}]', 2, true],
  ['[[],[],[],[]]', 2, false],
  ['["[[[[", "\\"[[[", "\\\\"]', 1, false],
  ['["\\\\", [[]]]', 2, true],
  ['"never ends [[[[', 0, false],
  ['['.repeat(50_000), 100, true],
])('%j nests deeper than %i: %s', (json, depth, isDeeper) => {
  expect(isNestedDeeperThan(json, depth)).toBe(isDeeper);
});
