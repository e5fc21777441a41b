import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parameterEnvironment, substituteParameters } from './substitute-parameters.ts';

describe('substitution', () => {
  test('a single reference takes the typed value', () => {
    const values = { list: ['a', 'b'], count: 3, yes: true, map: { k: 'v' } };
    const input = { a: '{{ list }}', b: ['{{count}}'], c: { d: '{{ yes }}' }, e: '{{map}}' };
    expect(substituteParameters(input, values)).toEqual({
      a: ['a', 'b'],
      b: [3],
      c: { d: true },
      e: { k: 'v' },
    });
  });

  test('inside a text, lists and maps become JSON', () => {
    const values = { list: ['a'], count: 3 };
    expect(substituteParameters('x={{ list }} y={{count}}', values)).toBe('x=["a"] y=3');
  });

  test('does not substitute references inside values', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const text = substituteParameters('<{{ a }}|{{ b }}>', { a: `${a}{{ b }}`, b });
        expect(text).toBe(`<${a}{{ b }}|${b}>`);
      }),
    );
  });

  test('does not change references to unknown parameters', () => {
    const names = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,20}$/);
    fc.assert(
      fc.property(names, (name) => {
        const text = `a {{ ${name} }} b`;
        expect(substituteParameters(text, {})).toBe(text);
        expect(substituteParameters(`{{${name}}}`, {})).toBe(`{{${name}}}`);
      }),
    );
  });

  test('every parameter is in the environment, free of NUL', () => {
    const environment = parameterEnvironment({
      a: 'x\0y',
      list: ['1', '2'],
      map: { k: 'v' },
      n: 5,
    });
    expect(environment).toEqual({
      SSM_a: 'xy',
      SSM_list: '1\n2',
      SSM_map: '{"k":"v"}',
      SSM_n: '5',
    });
  });
});
