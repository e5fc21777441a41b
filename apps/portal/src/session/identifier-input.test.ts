import { expect, it } from 'vitest';
import { codeDigits, needsCountry, toIdentifier } from './identifier-input.ts';

it.each([
  ['Your code is 123-456', '123456'],
  [' 123 456 ', '123456'],
  ['１２３４５６', '123456'],
  ['1234567', '123456'],
])('finds the code in %s', (text, code) => {
  expect(codeDigits(text, 6)).toBe(code);
});

it.each([
  ['138 0013 8000', 'CN', '+8613800138000'],
  ['０1512 3456789', 'DE', '+4915123456789'],
  ['06 1234567', 'IT', '+39061234567'],
  ['+48 123', 'DE', '+48 123'],
  [' ana@corp.example ', 'DE', 'ana@corp.example'],
])('%s from %s is sent as %s', (text, country, identifier) => {
  expect(toIdentifier(text, country)).toBe(identifier);
});

it('only digits without a plus sign need a country', () => {
  expect(needsCountry('13800138000')).toBe(true);
  expect(needsCountry('ana')).toBe(false);
  expect(needsCountry('+8613800138000')).toBe(false);
});
