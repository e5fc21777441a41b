import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeTimeRange, momentsOf, parseTimeRange } from './time-range.ts';

describe('time range of the URL', () => {
  it('a time range is decoded as it was encoded', () => {
    const moment = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    const relative = fc.record({
      kind: fc.constant('relative' as const),
      amount: fc.integer({ min: 1, max: 99_999 }),
      unit: fc.constantFrom('m', 'h', 'd'),
    });
    const absolute = fc.tuple(moment, moment).map(([one, other]) => ({
      kind: 'absolute' as const,
      from: (one < other ? one : other).toISOString(),
      to: (one < other ? other : one).toISOString(),
    }));
    fc.assert(
      fc.property(fc.oneof(relative, absolute), (range) => {
        expect(parseTimeRange(encodeTimeRange(range))).toEqual(range);
      }),
    );
  });

  it('decoding never fails for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseTimeRange(text)));
  });

  it.each(['', '0h', '-1d', '24', 'x..y', '2026-11-02..2026-11-01'])(
    '%j is not a time range',
    (text) => {
      expect(parseTimeRange(text)).toBeUndefined();
    },
  );

  it('a relative range counts back from now and has no end', () => {
    const now = Date.parse('2026-11-20T18:00:00.000Z');
    expect(momentsOf({ kind: 'relative', amount: 24, unit: 'h' }, now)).toEqual({
      from: '2026-11-19T18:00:00.000Z',
      to: null,
    });
  });
});
