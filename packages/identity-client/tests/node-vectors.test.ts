import { expect, test } from 'vitest';
import { compareCase } from './support/compare-case.ts';
import { intendedAspects, leftoverPatterns } from './support/intended-differences.ts';
import { runNodeCase } from './support/run-node-case.ts';
import { vectorCases } from './support/vector-case.ts';

const cases = vectorCases.filter(({ env }) => env === 'node');

test.each(cases.map((entry) => [entry.id, entry] as const))(
  '%s: the same requests, result and state as recorded, but for what differences.json lists',
  async (id, entry) => {
    const mismatches = compareCase(entry, await runNodeCase(entry));
    const found = mismatches.map(({ aspect }) => aspect).toSorted();
    expect({ differs: found, mismatches }).toEqual({
      differs: intendedAspects(id),
      mismatches,
    });
  },
);

test('every listed difference matches a recorded case', () => {
  expect(leftoverPatterns(vectorCases.map(({ id }) => id))).toEqual([]);
});
