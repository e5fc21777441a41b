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

describe('[command-form] a form made from parameters', () => {
  test('[command-form-1] defaults fill the fields and go back as they were', () => {
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

  test('[command-form-2] an empty field without default is told to be required', () => {
    const issues = fieldIssuesOf(parameters, initialFields(parameters));
    expect([...issues.keys()]).toEqual(['host']);
    expect(issues.get('host')?.message).toBe('is required');
  });

  test('[command-form-3] a field that had a default can be emptied on purpose', () => {
    const sent = parametersOf(parameters, { ...initialFields(parameters), note: '' });
    expect(sent['note']).toBe('');
  });

  test('[command-form-4] text that is no number is an issue of its field and not a default', () => {
    const issues = fieldIssuesOf(parameters, {
      ...initialFields(parameters),
      host: 'a.b',
      count: '4x',
    });
    expect(issues.get('count')?.message).toBe('is not a valid Integer');
  });

  test('[command-form-5] what was edited survives another command where it fits, and nothing else', () => {
    const other: Parameters = {
      host: { type: 'String' },
      count: { type: 'Boolean' },
      mode: { type: 'String', allowedValues: ['deep'], default: 'deep' },
    };
    const fields = mergeFields(other, { host: 'a.b', count: '7', mode: 'slow', files: ['x'] });
    expect(fields).toEqual({ host: 'a.b', count: false, mode: 'deep' });
  });

  test('[command-form-6] every value of a parameter type survives the form', () => {
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
