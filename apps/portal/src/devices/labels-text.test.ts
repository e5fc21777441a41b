import { describe, expect, it } from 'vitest';
import { labelEntries, labelProblems, labelsOf } from './labels-text.ts';

describe('labels in a form', () => {
  it('[labels-1] labels survive the form, and a row that was only begun is ignored', () => {
    const labels = { site: 'Shenzhen', 'rack/row': '7' };
    expect(labelsOf([...labelEntries(labels), { key: '', value: '' }])).toEqual(labels);
  });

  it('[labels-2] a bad key and a key that stands twice are named at their row', () => {
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
