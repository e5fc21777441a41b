import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLevelShifts } from './find-level-shifts.ts';

const limits = { leastShift: 3, leastPoints: 5 };

/** Evenly distributed between -1 and 1; the same seed gives the same numbers. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * 2 - 1;
  };
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });

/** Levels, each with so many points, and noise of this amplitude. */
function levels(parts: readonly (readonly [number, number])[], amplitude = 0, seed = 1): number[] {
  const next = noise(seed);
  return parts.flatMap(([level, count]) =>
    Array.from({ length: count }, () => level + amplitude * next()),
  );
}

describe('level shifts', () => {
  test('are found where they are, of any size well above the noise', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: seeds,
          first: fc.integer({ min: 12, max: 150 }),
          second: fc.integer({ min: 12, max: 150 }),
          amplitude: fc.double({ min: 0, max: 5, noNaN: true }),
          size: fc.double({ min: 4, max: 60, noNaN: true }),
          direction: fc.constantFrom(1, -1),
        }),
        ({ seed, first, second, amplitude, size, direction }) => {
          const shift = direction * (size + 6 * amplitude);
          const values = levels(
            [
              [20, first],
              [20 + shift, second],
            ],
            amplitude,
            seed,
          );
          const found = findLevelShifts(values, limits);
          expect(found).toHaveLength(1);
          expect(Math.abs((found[0]?.index ?? -1) - first)).toBeLessThanOrEqual(2);
          expect(found[0]?.before).toBeCloseTo(20, -1);
          expect(Math.sign((found[0]?.after ?? 0) - (found[0]?.before ?? 0))).toBe(direction);
        },
      ),
    );
  });

  test('are not seen in noise', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 0, max: 400 }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (seed, count, amplitude) => {
          expect(findLevelShifts(levels([[50, count]], amplitude, seed), limits)).toEqual([]);
        },
      ),
    );
  });

  test('are not seen in slopes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 400 }),
        fc.double({ min: -100, max: 100, noNaN: true }),
        (count, rise) => {
          const values = Array.from({ length: count }, (_, index) => (rise * index) / count);
          expect(findLevelShifts(values, limits)).toEqual([]);
        },
      ),
    );
  });

  test('are not seen in a daily rhythm with noise', () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: 0, max: 40, noNaN: true }), (seed, height) => {
        const next = noise(seed);
        const values = Array.from(
          { length: 288 },
          (_, index) => 50 + height * Math.sin((index / 288) * 2 * Math.PI) + 2 * next(),
        );
        expect(findLevelShifts(values, limits)).toEqual([]);
      }),
    );
  });

  test('are not seen in days that begin and end abruptly, if a level lasts a day', () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: 5, max: 60, noNaN: true }), (seed, height) => {
        const next = noise(seed);
        const perDay = 43;
        const values = Array.from(
          { length: 7 * perDay },
          (_, index) => 10 + (index % perDay > 25 ? height : 0) + next(),
        );
        expect(findLevelShifts(values, { ...limits, leastPoints: perDay })).toEqual([]);
        const shifted = values.map((value, index) => (index >= 3 * perDay ? value + 90 : value));
        const found = findLevelShifts(shifted, { ...limits, leastPoints: perDay });
        expect(found.map(({ index }) => index)).toEqual([3 * perDay]);
      }),
    );
  });

  test('are not single outliers', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 12, max: 40 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: -1_000, max: 1_000 }),
        (distances, height) => {
          const values = distances.flatMap((distance) => [
            ...Array<number>(distance).fill(10),
            10 + height,
            10 + height,
          ]);
          values.push(...Array<number>(12).fill(10));
          expect(findLevelShifts(values, limits)).toEqual([]);
        },
      ),
    );
  });

  test('do not depend on the zero point or the unit', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: -64, max: 64 }),
        fc.integer({ min: -3, max: 6 }),
        (seed, offset, power) => {
          const values = levels(
            [
              [8, 40],
              [40, 30],
              [16, 50],
            ],
            3,
            seed,
          ).map((value) => Math.round(value * 16) / 16);
          const scale = 2 ** power;
          const places = (of: readonly number[], leastShift: number): number[] =>
            findLevelShifts(of, { ...limits, leastShift }).map(({ index }) => index);
          expect(
            places(
              values.map((value) => (value + offset) * scale),
              limits.leastShift * scale,
            ),
          ).toEqual(places(values, limits.leastShift));
        },
      ),
    );
  });

  test('are points with values, in order, and at least a level apart, in any series', () => {
    const value = fc.option(fc.integer({ min: 0, max: 100 }), { freq: 6 });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 200 }), (values) => {
        const found = findLevelShifts(values, limits);
        let last = -1;
        for (const { index, before, after } of found) {
          expect(values[index]).not.toBeNull();
          expect(Math.abs(after - before)).toBeGreaterThanOrEqual(limits.leastShift);
          const between = values.slice(last + 1, index).filter((each) => each !== null);
          expect(between.length).toBeGreaterThanOrEqual(limits.leastPoints - 1);
          last = index;
        }
      }),
    );
  });

  test('are found across a time without measurements', () => {
    const values = [...levels([[10, 20]]), ...Array<null>(7).fill(null), ...levels([[60, 20]])];
    expect(findLevelShifts(values, limits)).toMatchObject([{ index: 27, before: 10, after: 60 }]);
  });

  test('are found one after the other', () => {
    const values = levels(
      [
        [10, 60],
        [80, 20],
        [10, 60],
        [40, 60],
      ],
      2,
      7,
    );
    expect(findLevelShifts(values, limits).map(({ index }) => index)).toEqual([60, 80, 140]);
  });
});
