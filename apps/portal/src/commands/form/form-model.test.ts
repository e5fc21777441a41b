import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { DocumentParameter } from '@deviceportal/contract/ssm-document';
import {
  fieldIssuesOf,
  initialFields,
  mergeFields,
  parametersOf,
  type Parameters,
} from './form-model.ts';

const parameters: Parameters = {
  host: { type: 'String', allowedPattern: '^[a-z.]+$' },
  mode: { type: 'String', default: 'fast', allowedValues: ['fast', 'slow'] },
  note: { type: 'String', default: 'x', displayType: 'textarea' },
  count: { type: 'Integer', default: 4 },
  deep: { type: 'Boolean', default: true },
  files: { type: 'StringList', default: [] },
  labels: { type: 'StringMap', default: { a: '1' } },
  rules: { type: 'MapList', default: [] },
};

describe('the form of document parameters', () => {
  test('default values fill the fields and are sent unchanged', () => {
    const sent = parametersOf(parameters, initialFields(parameters));
    expect(sent).toEqual({
      mode: 'fast',
      note: 'x',
      count: 4,
      deep: true,
      files: [],
      labels: { a: '1' },
      rules: [],
    });
  });

  test('an empty field without a default is reported as required', () => {
    const issues = fieldIssuesOf(parameters, initialFields(parameters));
    expect([...issues.keys()]).toEqual(['host']);
    expect(issues.get('host')?.message).toBe('is required');
  });

  test('a field with a default can be emptied', () => {
    const sent = parametersOf(parameters, { ...initialFields(parameters), note: '' });
    expect(sent['note']).toBe('');
  });

  test('text that is not a number is a problem of its field and is not replaced by the default', () => {
    const issues = fieldIssuesOf(parameters, {
      ...initialFields(parameters),
      host: 'a.b',
      count: '4x',
    });
    expect(issues.get('count')?.message).toBe('is not a valid Integer');
  });

  test('edited values are kept for another command only where they fit', () => {
    const other: Parameters = {
      host: { type: 'String' },
      count: { type: 'Boolean' },
      mode: { type: 'String', allowedValues: ['deep'], default: 'deep' },
    };
    const fields = mergeFields(other, { host: 'a.b', count: '7', mode: 'slow', files: ['x'] });
    expect(fields).toEqual({ host: 'a.b', count: false, mode: 'deep' });
  });

  test('values of every parameter type are sent unchanged', () => {
    const value: Record<DocumentParameter['type'], fc.Arbitrary<unknown>> = {
      String: fc.string({ minLength: 1 }),
      StringList: fc.array(fc.string({ minLength: 1 })),
      Integer: fc.integer(),
      Boolean: fc.boolean(),
      StringMap: mapOfTexts(),
      MapList: fc.array(mapOfTexts()),
    };
    for (const [type, arbitrary] of Object.entries(value)) {
      const declared = { p: { type } } as unknown as Parameters;
      fc.assert(
        fc.property(arbitrary, (given) => {
          expect(parametersOf(declared, initialFields(declared, { p: given }))).toEqual({
            p: given,
          });
        }),
        { numRuns: 50 },
      );
    }
  });
});

function mapOfTexts(): fc.Arbitrary<Record<string, string>> {
  return fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string(), { noNullPrototype: true });
}
