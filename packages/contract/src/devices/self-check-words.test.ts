import { expect, it } from 'vitest';
import { selfCheckFactWords } from './self-check-words.ts';

it.each([
  ['44 % of packets lost', '44% of packets lost', '丢包率 44%'],
  ['97 % of / used', '97% of / used', '/ 已用 97%'],
  [
    '97 % used, most of it by kiosk-ui',
    '97% used, mostly by kiosk-ui',
    '已用 97%，主要由 kiosk-ui 占用',
  ],
  ['11 min behind', '11 min behind', '慢 11 分钟'],
  ['90 s ahead', '90 s ahead', '快 90 秒'],
  ['payment keeps crashing', 'payment keeps crashing', 'payment 反复崩溃'],
  ['the certificate ends in 5 days', 'expires in 5 days', '证书将在 5 天后到期'],
  ['the certificate ends in 1 days', 'expires in 1 day', '证书将在 1 天后到期'],
])('%s is said in both languages', (fact, english, chinese) => {
  expect(selfCheckFactWords(fact, 'en')).toBe(english);
  expect(selfCheckFactWords(fact, 'zh-CN')).toBe(chinese);
});

it('returns an unknown fact of another agent version unchanged', () => {
  expect(selfCheckFactWords('fan stands still', 'zh-CN')).toBe('fan stands still');
});
