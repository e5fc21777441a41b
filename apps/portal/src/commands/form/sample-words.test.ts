import { expect, it } from 'vitest';
import type { Translate } from '../../i18n/use-t.ts';
import { sampleWords } from './sample-words.ts';

const t: Translate = (_key, values) => `${JSON.stringify(values)} more`;
const format = { list: (items: readonly string[]) => new Intl.ListFormat('en').format(items) };

it('the number of omitted items is the last entry of the list, with a single “and”', () => {
  expect(sampleWords(['A', 'B'], 3, { t, format })).toBe('A, B, and {"more":1} more');
  expect(sampleWords(['A', 'B'], 2, { t, format })).toBe('A and B');
});
