import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canaryCount, splitIntoWaves } from './wave-sizes.ts';

const percent = fc.integer({ min: 1, max: 100 });

test('puts every device in exactly one wave, without empty waves', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.uuid(), { maxLength: 200 }),
      fc.array(percent, { minLength: 1, maxLength: 20 }),
      (ids, percents) => {
        const waves = splitIntoWaves(ids, percents);
        expect(waves.flat()).toEqual(ids);
        expect(waves.every((wave) => wave.length > 0)).toBe(true);
      },
    ),
  );
});

test('has at least one canary, at most 50, and always fewer than the devices', () => {
  expect(canaryCount(1, 100)).toBe(0);
  expect(canaryCount(2, 100)).toBe(1);
  expect(canaryCount(50, 100)).toBe(49);
  expect(canaryCount(51, 100)).toBe(50);
  expect(canaryCount(40, 5)).toBe(2);
  expect(canaryCount(100_000, 5)).toBe(50);
  expect(canaryCount(0, 5)).toBe(0);
});
