import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkParameters } from './command-parameters.ts';
import type { DocumentParameter } from '../documents/ssm-document.ts';

const declared: Record<string, DocumentParameter> = {
  host: { type: 'String', allowedPattern: '^[a-z.]+$', maxChars: 8 },
  count: { type: 'Integer', default: 4, allowedValues: [1, 2, 4] },
  fast: { type: 'Boolean', default: false },
  tags: { type: 'StringList', default: [], maxItems: 2, allowedPattern: '^\\w+$' },
  map: { type: 'StringMap', default: {}, minItems: 0 },
  rows: { type: 'MapList', default: [] },
};
const paths = (given: Record<string, unknown>): string[] =>
  checkParameters(declared, given).issues.map(({ path }) => path.join('.'));

it('uses defaults for missing values', () => {
  expect(checkParameters(declared, { host: 'a.b' })).toEqual({
    values: { host: 'a.b', count: 4, fast: false, tags: [], map: {}, rows: [] },
    issues: [],
  });
});

it('converts text from a form or URL to the parameter’s type', () => {
  expect(checkParameters(declared, { host: 'a', count: '2', fast: 'true' }).values).toMatchObject({
    count: 2,
    fast: true,
  });
});

it('reports every invalid value with its path', () => {
  expect(paths({})).toEqual(['parameters.host']);
  expect(paths({ host: 'A', count: 3, tags: ['ok', 'not ok'], speed: 1 })).toEqual([
    'parameters.speed',
    'parameters.host',
    'parameters.count',
    'parameters.tags.1',
  ]);
  expect(paths({ host: 'abcdefghi' })).toEqual(['parameters.host']);
  expect(paths({ host: 'a', tags: ['a', 'b', 'c'] })).toEqual(['parameters.tags']);
  expect(paths({ host: 'a', map: { a: 1 } })).toEqual(['parameters.map']);
  expect(paths({ host: 'a', rows: [{ a: 'b' }, 'c'] })).toEqual(['parameters.rows']);
  expect(paths({ host: 'a', count: 1.5 })).toEqual(['parameters.count']);
});

it('ignores inherited properties', () => {
  expect(
    paths(JSON.parse('{"host":"a","__proto__":"x","constructor":"y"}') as Record<string, unknown>),
  ).toEqual(['parameters.__proto__', 'parameters.constructor']);
});

it('limits the total size of all values', () => {
  const free: Record<string, DocumentParameter> = { text: { type: 'String' } };
  expect(checkParameters(free, { text: 'x'.repeat(70_000) }).issues).toMatchObject([
    { path: ['parameters'] },
  ]);
});

it('returns only values of the correct type for any input', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(declared), 'other'), fc.jsonValue()),
      (given) => {
        const { values, issues } = checkParameters(declared, given);
        expect(Object.keys(values).every((name) => Object.hasOwn(declared, name))).toBe(true);
        expect(issues.every(({ path }) => path[0] === 'parameters')).toBe(true);
      },
    ),
  );
});
