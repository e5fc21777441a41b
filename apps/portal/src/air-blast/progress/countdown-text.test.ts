import { expect, test } from 'vitest';
import { countdownText } from './countdown-text.ts';

test('remaining time is formatted as minutes and seconds in every language', () => {
  expect([300_000, 272_001, 59_000, 1, 0, -5, 3_661_000].map(countdownText)).toEqual([
    '5:00',
    '4:33',
    '0:59',
    '0:01',
    '0:00',
    '0:00',
    '1:01:01',
  ]);
});
