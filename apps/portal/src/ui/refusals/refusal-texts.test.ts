import { expect, test } from 'vitest';
import { refusals } from '@deviceportal/contract/refusals';
import { refusalTexts as english } from './refusal-texts-en.ts';
import { refusalTexts as chinese } from './refusal-texts-zh-cn.ts';

const placeholders = (text: string | undefined): string[] =>
  [...(text ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();

test.each(Object.keys(refusals))('%s uses the same facts in both languages', (reason) => {
  const key = `refusal.${reason}`;
  expect(placeholders(chinese[key])).toEqual(placeholders(english[key]));
  expect(chinese[key]).toMatch(/\p{Script=Han}|^\{/u);
});
