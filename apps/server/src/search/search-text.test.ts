import { expect, test } from 'vitest';
import {
  looksLikeSerialNumber,
  normalizeSearchText,
  vocabularyWordsOf,
  withWords,
} from './search-text.ts';

test('[search-1] what is pasted is trimmed, folded to ASCII and loses an SN in front', () => {
  expect(normalizeSearchText('  ＤＰ０１２\n')).toBe('DP012');
  expect(normalizeSearchText('SN: DP012')).toBe('DP012');
  expect(normalizeSearchText('SN-DP012')).toBe('DP012');
  expect(normalizeSearchText('SNOW')).toBe('SNOW');
  expect(normalizeSearchText('Anna \t Berg')).toBe('Anna Berg');
});

test('[search-7] words are replaced where they stand, so that an address stays an address', () => {
  const text = 'Anna.Breg@exmaple.com';
  expect(vocabularyWordsOf(text)).toEqual(['anna', 'breg', 'exmaple', 'com']);
  const mended = new Map([
    ['breg', 'berg'],
    ['exmaple', 'example'],
  ]);
  expect(withWords(text, mended)).toBe('anna.berg@example.com');
});

test('[search-7] a serial number has a digit and at least five characters', () => {
  expect(looksLikeSerialNumber('dp00012')).toBe(true);
  expect(looksLikeSerialNumber('kiosk')).toBe(false);
  expect(looksLikeSerialNumber('dp01')).toBe(false);
  expect(looksLikeSerialNumber('dp0001 kiosk')).toBe(false);
});
