import fc from 'fast-check';

const LONG_CHARACTERS = 100_000;
const MANY_ITEMS = 100_000;

const nested = (levels: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(levels)}0${close.repeat(levels)}`);
/** As an own property, which only JSON can create. */
const fromJson = (text: string): unknown => JSON.parse(text) as unknown;

const numbers = [
  ...[0, -0, -1, 0.5, 1e-7, 1e21, 1e308, -1e308, Number.MAX_SAFE_INTEGER],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53, 2 ** 63, -(2 ** 63)],
];
const moments = [
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ...['9999-12-31T23:59:59-14:00', '+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z'],
  ...['2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-06-30T23:59:60Z', '2026-01-01'],
];
const texts = [
  ...['', ' ', '\u0000', 'a\u0000b', '\uD800', 'a\uDFFF', '\uFFFE', '\u202Egnp.exe', '\u2028'],
  ...['%', '%00', '%%', '_', '\\', "'", '"', ';--', '{}', '[]', '$1', '${x}', '../..', '\r\n'],
  ...['null', 'undefined', 'NaN', 'true', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...['(a+)+$', '[', '*', '(', '\\', '<b>', 'مرحبا', '👩‍👩‍👧‍👦', 'İ', 'ß', 'ﷺ', '\u0301'.repeat(500)],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['1e999', '0x10', '-1', '1970-01-01', 'xn--', 'http://[', 'mailto:', 'a@', 'DE', 'ZZ'],
];
const structures = [
  ...[null, true, false, [], {}, [null], [[]], { '': '' }, [{}]],
  fromJson('{"__proto__":{"polluted":true}}'),
  fromJson('{"constructor":{"prototype":{"polluted":true}}}'),
  fromJson('{"toString":1,"valueOf":2,"then":3,"toJSON":4,"length":-1}'),
  // Neither a length nor a number.
  fromJson('{"length":{"toString":1,"valueOf":2}}'),
  nested(60, '[', ']'),
  nested(60, '{"a":', '}'),
];

/** Values at the limits of databases, languages, and parsers. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constantFrom<unknown>(...numbers), weight: 4 },
  { arbitrary: fc.constantFrom<unknown>(...moments), weight: 4 },
  { arbitrary: fc.constantFrom<unknown>(...texts), weight: 6 },
  { arbitrary: fc.constantFrom<unknown>(...structures), weight: 4 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 2 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 2 },
);

/** The same, but large, so that callers send few of them. */
export const hugeValue: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  'x'.repeat(LONG_CHARACTERS),
  '\u0000'.repeat(LONG_CHARACTERS / 10),
  '😀'.repeat(LONG_CHARACTERS / 4),
  Array.from({ length: MANY_ITEMS }, () => 0),
  Array.from({ length: MANY_ITEMS / 10 }, () => ({})),
  Array.from({ length: MANY_ITEMS / 50 }, (_, index) => String(index)),
  Object.fromEntries(Array.from({ length: MANY_ITEMS / 10 }, (_, index) => [`k${index}`, index])),
);

/** superjson annotations that no client writes. */
export const oddAnnotations: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    { values: ['Date'] },
    { values: ['undefined'] },
    { values: ['number'] },
    { values: ['bigint'] },
    { values: [['custom', 'x']] },
    { values: { __proto__: ['Date'] } },
    { values: fromJson('{"__proto__":["Date"]}') },
    { values: { 'constructor.prototype': ['undefined'] } },
    { values: { 'a.b.c.d': ['Date'], '': ['undefined'] } },
    { values: { '0': ['Date'] }, referentialEqualities: { a: ['b', 'c'] } },
    { referentialEqualities: [['a'], { b: ['__proto__.x'] }] },
    { values: null },
    { values: 7, v: 1 },
    { v: 99 },
    null,
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

type Change = 'replace' | 'remove' | 'add';

/** A valid input with one unusual value in it. */
export function withOddity(input: unknown, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const places = placesIn(input);
  return fc
    .record({
      place: fc.constantFrom(...places),
      change: fc.constantFrom<Change>('replace', 'replace', 'replace', 'remove', 'add'),
      odd,
    })
    .map(({ place, change, odd: value }) => changed(input, place, { change, value }));
}

type Place = readonly (string | number)[];

function placesIn(value: unknown, here: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [here];
  return [
    here,
    ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...here, key])),
  ];
}

function changed(
  value: unknown,
  [key, ...rest]: Place,
  odd: { readonly change: Change; readonly value: unknown },
): unknown {
  if (key === undefined) return odd.value;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  if (rest.length > 0 || odd.change === 'replace') copy[key] = changed(copy[key], rest, odd);
  else if (odd.change === 'remove') delete copy[key];
  else copy[`${key}_more`] = odd.value;
  return copy;
}
