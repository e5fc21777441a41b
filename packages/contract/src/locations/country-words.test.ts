import { expect, it } from 'vitest';
import { countryWords } from './country-words.ts';

it.each([
  ['DE', 'en', 'Germany'],
  ['DE', 'zh-CN', '德国'],
  ['TW', 'en', 'Taiwan'],
  ['HK', 'zh-CN', '中国香港特别行政区'],
  ['ZQ', 'en', 'ZQ'],
  ['not a code', 'en', 'not a code'],
])('names %s in %s as %s', (code, language, name) => {
  expect(countryWords(code, language)).toBe(name);
});
