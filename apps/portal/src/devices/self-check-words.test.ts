import { expect, it } from 'vitest';
import { formatMessage } from '../i18n/format-message.ts';
import type { Translate } from '../i18n/use-t.ts';
import zh from './messages/zh-CN.json' with { type: 'json' };
import { selfCheckFactWords } from './self-check-words.ts';

const inChinese: Translate = (key, values) =>
  formatMessage({ language: 'zh-CN', messages: zh }, key, values);

it.each([
  ['44 % of packets lost', '丢包率 44%'],
  ['97 % of / used', '/ 已用 97%'],
  ['97 % used, most of it by kiosk-ui', '已用 97%，主要由 kiosk-ui 占用'],
  ['11 min behind', '慢 11 分钟'],
  ['90 s ahead', '快 90 秒'],
  ['payment keeps crashing', 'payment 反复崩溃'],
  ['the certificate ends in 5 days', '证书将在 5 天后到期'],
])('[self-check-1] %s is said in Chinese', (fact, words) => {
  expect(selfCheckFactWords(fact, inChinese)).toBe(words);
});

it('[self-check-2] a fact of another release stands as it came', () => {
  expect(selfCheckFactWords('fan stands still', inChinese)).toBe('fan stands still');
});
