import { describe, expect, it } from 'vitest';
import { formatAbsolute, formatRelative, joinSentences } from './format-values.ts';
import type { Language } from './languages.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = Date.parse('2026-05-04T12:00:00Z');
const relative = (differenceMs: number, language: Language = 'en'): string =>
  formatRelative(language, NOW_MS + differenceMs, NOW_MS);

describe('relative times', () => {
  it('rounds past times down to complete units', () => {
    expect(relative(-2 * SECOND_MS)).toBe('now');
    expect(relative(-59_900)).toBe('59 sec. ago');
    expect(relative(-(HOUR_MS - SECOND_MS))).toBe('59 min. ago');
    expect(relative(-(2 * HOUR_MS - SECOND_MS))).toBe('1 hr. ago');
  });

  it('rounds future times to the nearest unit', () => {
    expect(relative(40 * MINUTE_MS)).toBe('in 40 min.');
    expect(relative(5 * MINUTE_MS - 6 * SECOND_MS)).toBe('in 5 min.');
    expect(relative(HOUR_MS - 10 * SECOND_MS)).toBe('in 1 hr.');
    expect(relative(2 * HOUR_MS - 5 * SECOND_MS)).toBe('in 2 hr.');
    expect(relative(24 * HOUR_MS - MINUTE_MS)).toBe('tomorrow');
  });

  it('separates number and unit in Chinese, as fixed texts do', () => {
    expect(relative(-5 * MINUTE_MS, 'zh-CN')).toBe('5 分钟前');
    expect(relative(40 * MINUTE_MS, 'zh-CN')).toBe('40 分钟后');
    expect(relative(-2 * SECOND_MS, 'zh-CN')).toBe('刚刚');
  });
});

describe('sentences', () => {
  it('are separated by a space in English and by their period in Chinese', () => {
    expect(joinSentences('en', ['Read-only.', '', 'One step.'])).toBe('Read-only. One step.');
    expect(joinSentences('zh-CN', ['只读。', '', '一个步骤。'])).toBe('只读。一个步骤。');
  });
});

describe('absolute times', () => {
  it('end in the time zone, in both languages', () => {
    const at = (language: Language): string => formatAbsolute(language, NOW_MS, 'Europe/Berlin');
    expect(at('en')).toBe('May 4, 2026, 14:00:00 GMT+2');
    expect(at('zh-CN')).toBe('2026年5月4日 14:00:00 GMT+2');
  });
});
