import { describe, expect, it } from 'vitest';
import { labelEntries, labelProblems, labelsOf } from './labels-text.ts';

describe('labels in a form', () => {
  it('labels are unchanged by the form, and incomplete rows are ignored', () => {
    const labels = { site: 'Shenzhen', 'rack/row': '7' };
    expect(labelsOf([...labelEntries(labels), { key: '', value: '' }])).toEqual(labels);
  });

  it('an invalid key and a duplicate key are reported at their row', () => {
    expect(
      labelProblems([
        { key: 'site', value: 'a' },
        { key: 'bad key', value: 'b' },
        { key: 'site', value: 'c' },
        { key: '', value: '' },
        { key: '', value: 'only a value' },
      ]),
    ).toEqual([null, 'key', 'duplicate', null, 'key']);
  });
});
