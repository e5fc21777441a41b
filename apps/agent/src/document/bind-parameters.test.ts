import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bindParameters } from './bind-parameters.ts';

const bind = (
  parameter: Parameters<typeof bindParameters>[0]['parameters'],
  given: Record<string, unknown>,
) => bindParameters({ parameters: parameter }, given);

describe('parameters', () => {
  test('applies defaults and reports missing and unknown parameters', () => {
    const declared = {
      a: { type: 'String' as const, default: 'x' },
      b: { type: 'Integer' as const },
    };
    expect(bind(declared, { b: '7' })).toEqual({ values: { a: 'x', b: 7 }, issues: [] });
    expect(bind(declared, {}).issues).toEqual([{ path: ['b'], message: 'is required' }]);
    expect(bind(declared, { b: 1, c: 2 }).issues).toEqual([
      { path: ['c'], message: 'is not a parameter' },
    ]);
  });

  test.each([
    [{ type: 'String' as const, allowedPattern: '^[a-z]+$' }, 'abc', 'ab1'],
    [{ type: 'String' as const, maxChars: 3 }, 'abc', 'abcd'],
    [{ type: 'String' as const, allowedValues: ['on', 'off'] }, 'on', 'maybe'],
    [{ type: 'StringList' as const, minItems: 1 }, ['a'], []],
    [{ type: 'StringList' as const, allowedPattern: '^a' }, ['a'], ['a', 'b']],
    [{ type: 'Boolean' as const }, 'true', 'yes'],
    [{ type: 'Integer' as const }, 5, 5.5],
    [{ type: 'StringMap' as const }, { k: 'v' }, { k: 1 }],
    [{ type: 'MapList' as const }, [{ k: 'v' }], [1]],
  ])('%j takes %j and refuses %j', (parameter, good, bad) => {
    expect(bind({ p: parameter }, { p: good }).issues).toEqual([]);
    expect(bind({ p: parameter }, { p: bad }).issues).toHaveLength(1);
  });

  test('a binding without issues has a value for every parameter, for any input', () => {
    const declared = {
      s: { type: 'String' as const },
      n: { type: 'Integer' as const },
      m: { type: 'StringMap' as const },
    };
    const names = fc.constantFrom('s', 'n', 'm', 'toString', 'x');
    const isSound = (given: Record<string, unknown>): boolean => {
      const { values, issues } = bind(declared, given);
      return issues.length > 0 || Object.keys(values).toSorted().join() === 'm,n,s';
    };
    expect(fc.check(fc.property(fc.dictionary(names, fc.anything()), isSound)).failed).toBe(false);
  });
});
