import superjson from 'superjson';
import { expect, it } from 'vitest';
import { isPlainJson } from './is-plain-json.ts';

const shared = { name: 'shared' };
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

const plain: readonly unknown[] = [
  null,
  'text',
  0,
  -1.5,
  true,
  [],
  {},
  [[], {}, null],
  { 'a.b': 1, rows: [{ id: 'x', labels: { role: 'tv' }, owner: null }] },
  Object.assign(Object.create(null) as object, { id: 1 }),
];

const others: readonly unknown[] = [
  undefined,
  { missing: undefined },
  [undefined],
  // oxlint-disable-next-line no-sparse-arrays
  [1, , 2],
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  1n,
  new Date(0),
  new Map([[1, 2]]),
  new Set([1]),
  new Error('failed'),
  /x/,
  new URL('https://portal.example'),
  new Uint8Array([1]),
  [shared, shared],
  cyclic,
  { deep: [{ at: new Date(0) }] },
  JSON.parse('{"__proto__":1}'),
  { constructor: 1 },
];

it('is true only for values that SuperJSON writes as they are', () => {
  for (const value of plain) {
    expect(isPlainJson(value)).toBe(true);
    expect(superjson.serialize(value)).toEqual({ json: value });
  }
});

it.each(others)(
  'is false for a value that SuperJSON changes, annotates, or rejects: %#',
  (value) => {
    expect(isPlainJson(value)).toBe(false);
  },
);
