import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkParameters } from './command-parameters.ts';
import { storeReferencesIn, withStoreValues } from './store-references.ts';

it('finds each reference once, with its version and kind', () => {
  const value = {
    a: ['x {{ssm:wifi.key}} {{ ssm:wifi.key }}'],
    b: '{{ssm-secure:/p/q:3}} {{ name }}',
  };
  expect(storeReferencesIn(value)).toEqual([
    { key: 'ssm:wifi.key', name: 'wifi.key', version: null, mustBeSecret: false },
    { key: 'ssm-secure:/p/q:3', name: '/p/q', version: 3, mustBeSecret: true },
  ]);
});

it('inserts values unchanged and does not resolve references inside them', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const text = withStoreValues('<{{ ssm:a }}|{{ssm:b}}>', { 'ssm:a': `${value}{{ssm:a}}` });
      expect(text).toBe(`<${value}{{ssm:a}}|{{ssm:b}}>`);
    }),
  );
});

it("only the document's own default is left for the store; what is typed is text", () => {
  const declared = {
    key: { type: 'String' as const, default: '{{ssm:key}}', allowedPattern: '^[a-z]+$' },
  };
  expect(checkParameters(declared, {})).toEqual({ values: { key: '{{ssm:key}}' }, issues: [] });
  expect(checkParameters(declared, { key: '{{ssm:key}}' }).issues).toEqual([]);
  expect(checkParameters(declared, { key: '{{ssm:other}}' }).issues).toHaveLength(1);
});
