import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBlock, encodeBlock, type MetricBlock } from './metric-block.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { BlockWriter } from './var-int.ts';

const limits = { samples: 400 };

/** Any samples with gaps, extreme values, and irregular times. */
const anyBlock: fc.Arbitrary<MetricBlock> = fc
  .uniqueArray(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { maxLength: 40 })
  .chain((times) =>
    fc
      .uniqueArray(fc.integer({ min: 1, max: 4_096 }), { maxLength: 20 })
      .chain((ids) =>
        fc.tuple(
          ...ids.map((id) =>
            fc.tuple(
              fc.constant(id),
              fc.array(fc.option(fc.integer({ min: -(2 ** 50), max: 2 ** 50 })), {
                minLength: times.length,
                maxLength: times.length,
              }),
            ),
          ),
        ),
      )
      .map((columns) => ({
        times: times.toSorted((one, other) => one - other),
        columns: new Map(columns as [number, (number | null)[]][]),
      })),
  );

const measured = ({ columns }: MetricBlock) =>
  [...columns]
    .filter(([, values]) => values.some((value) => value !== null))
    .toSorted(([one], [other]) => one - other);

describe('a block', () => {
  test('becomes the same samples again', () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        const decoded = decodeBlock(encodeBlock(block), limits);
        expect(decoded.times).toEqual(block.times);
        expect([...decoded.columns]).toEqual(measured(block));
      }),
    );
  });

  test('of any bytes is either samples within the limits or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          const { times, columns } = decodeBlock(bytes, limits);
          expect(times.length).toBeLessThanOrEqual(limits.samples);
          expect(columns.size).toBeLessThanOrEqual(64);
          for (const values of columns.values())
            expect(values.every((value) => value === null || Number.isSafeInteger(value))).toBe(
              true,
            );
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('that was changed in any byte never takes long or much memory', () => {
    fc.assert(
      fc.property(anyBlock, fc.nat(), fc.nat(255), (block, at, byte) => {
        const bytes = encodeBlock(block);
        bytes[at % bytes.length] = byte;
        try {
          decodeBlock(bytes, limits);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('cannot claim a million samples', () => {
    const writer = new BlockWriter();
    writer.unsigned(1_000_000);
    expect(() => decodeBlock(writer.toBytes(), limits)).toThrow(/more than 400 samples/);
  });

  test('cannot grow beyond its samples: equal values are stored once and read as often as samples', () => {
    const times = Array.from({ length: 400 }, (_, index) => index);
    const columns = new Map(Array.from({ length: 64 }, (_, id) => [id + 1, times.map(() => 7)]));
    const bytes = encodeBlock({ times, columns });
    expect(bytes.length).toBeLessThan(700);
    const decoded = decodeBlock(bytes, limits);
    const values = [...decoded.columns.values()].reduce((sum, column) => sum + column.length, 0);
    expect(values).toBe(64 * 400);
  });

  test.each([Number.NaN, Infinity, 1.5, 2 ** 53])('cannot contain %s', (value) => {
    const block = { times: [1], columns: new Map([[1, [value]]]) };
    expect(() => encodeBlock(block)).toThrow(RangeError);
  });
});

describe('merged blocks', () => {
  test('are the same however often and in which order a block arrives', () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { minLength: 1, maxLength: 4 }), (blocks) => {
        // Different blocks with the same times are different samples, of which the last one counts.
        const distinct = blocks.filter(
          ({ times }, index) =>
            !blocks
              .slice(0, index)
              .some((other) => other.times.some((time) => times.includes(time))),
        );
        const once = mergeBlocks(distinct);
        const twice = mergeBlocks([...distinct, ...distinct.toReversed()]);
        expect(measured(twice)).toEqual(measured(once));
        expect(twice.times).toEqual(once.times);
      }),
    );
  });
});
