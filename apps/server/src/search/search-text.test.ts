import { expect, test } from 'vitest';
import {
  isIdentifier,
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

test('recognizes IDs and addresses, which are not corrected', () => {
  expect(isIdentifier('01930000-0000-7000-8000-00000000d001')).toBe(true);
  expect(isIdentifier('mi-0123456789abcdef0')).toBe(true);
  expect(isIdentifier('10.20.30.40')).toBe(true);
  expect(isIdentifier('kiosk-10.20')).toBe(false);
  expect(isIdentifier('LK2DE90151')).toBe(false);
});
