import superjson from 'superjson';
import { expect, test } from 'vitest';
import { readInput } from './read-input.ts';

test('reads the portal’s inputs unchanged', () => {
  const shared = ['a'];
  const input = { none: undefined, at: new Date(0), nan: Number.NaN, left: shared, right: shared };
  const sent: unknown = JSON.parse(superjson.stringify(input));
  expect(readInput(sent)).toEqual(input);
  expect(readInput(superjson.serialize(undefined))).toBeUndefined();
  expect(readInput({ json: { plain: 1 } })).toEqual({ plain: 1 });
});

test.each([
  [
    'a typed array of any size',
    { json: { a: 1e9 }, meta: { values: { a: [['typed-array', 'Uint8Array']] } } },
  ],
  ['a big integer', { json: { a: '9'.repeat(1_000) }, meta: { values: { a: ['bigint'] } } }],
  ['a regular expression', { json: '/(a+)+$/', meta: { values: ['regexp'] } }],
  ['a set of moments', { json: [1], meta: { values: ['set', { 0: ['Date'] }] } }],
  ['annotations that are text', { json: {}, meta: { values: 'text' } }],
  ['annotations of nothing', { json: {}, meta: { values: { a: null } } }],
])('a caller cannot make the server build %s', (_what, input) => {
  expect(() => readInput(input)).toThrow('unknown type');
});
