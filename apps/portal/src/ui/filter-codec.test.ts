import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodeFilter,
  encodeFilter,
  filterOperators,
  type FilterQueryToken,
} from './filter-codec.ts';

const value = fc.string({ minLength: 1, unit: 'grapheme' });
const keyed = fc.record({
  key: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_.-]{0,12}$/),
  operator: fc.constantFrom(...filterOperators),
  values: fc.array(value, { minLength: 1, maxLength: 4 }),
});
const free = fc.record({
  operator: fc.constantFrom(':' as const, '!:' as const),
  values: fc.tuple(value),
});

it('every filter is decoded as it was encoded', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(keyed, free), { maxLength: 6 }), (tokens) => {
      const query = { tokens: tokens as FilterQueryToken[], operation: 'and' as const };
      expect(decodeFilter(encodeFilter(query))).toEqual(query);
    }),
  );
});

it('decoding never fails for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (q) => {
      for (const token of decodeFilter(q).tokens) expect(token.values.length).toBeGreaterThan(0);
    }),
  );
});

it('decodes a filter as screens encode it', () => {
  expect(decodeFilter('country=CN;connectivity=offline,degraded;pump')).toEqual({
    operation: 'and',
    tokens: [
      { key: 'country', operator: '=', values: ['CN'] },
      { key: 'connectivity', operator: '=', values: ['offline', 'degraded'] },
      { operator: ':', values: ['pump'] },
    ],
  });
});
