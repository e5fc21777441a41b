import { expect, test } from 'vitest';
import {
  looksLikeSerialNumber,
  normalizeSearchText,
  vocabularyWordsOf,
  withWords,
} from './search-text.ts';

test('trims pasted text, folds it to ASCII, and strips a leading "SN"', () => {
  expect(normalizeSearchText('  ＤＰ０１２\n')).toBe('DP012');
  expect(normalizeSearchText('SN: DP012')).toBe('DP012');
  expect(normalizeSearchText('SN-DP012')).toBe('DP012');
  expect(normalizeSearchText('SNOW')).toBe('SNOW');
  expect(normalizeSearchText('Anna \t Berg')).toBe('Anna Berg');
});

test('replaces words in place, so that an address stays an address', () => {
  const text = 'Anna.Breg@exmaple.com';
  expect(vocabularyWordsOf(text)).toEqual(['anna', 'breg', 'exmaple', 'com']);
  const corrected = new Map([
    ['breg', 'berg'],
    ['exmaple', 'example'],
  ]);
  expect(withWords(text, corrected)).toBe('anna.berg@example.com');
});

test('recognizes a serial number by a digit and at least five characters', () => {
  expect(looksLikeSerialNumber('dp00012')).toBe(true);
  expect(looksLikeSerialNumber('kiosk')).toBe(false);
  expect(looksLikeSerialNumber('dp01')).toBe(false);
  expect(looksLikeSerialNumber('dp0001 kiosk')).toBe(false);
});
