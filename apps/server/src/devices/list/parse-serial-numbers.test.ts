import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSerialNumbers } from './parse-serial-numbers.ts';

test('removes separators, case, full-width characters, and prefixes', () => {
  const text =
    'dp00001, DP00002;DP00003\tDP00004\r\nＤＰ００００５　S/N: DP00006 SN DP00007 "DP00001" Serial No. DP00008、DP00009';
  expect(parseSerialNumbers(text)).toEqual(Array.from({ length: 9 }, (_, n) => `DP0000${n + 1}`));
});

test('keeps SN directly before a number, which it can be part of', () => {
  expect(parseSerialNumbers('SN10000037')).toEqual(['SN10000037']);
});

test('returns uppercase serial numbers without duplicates, and the same when parsed again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const once = parseSerialNumbers(text);
      expect(new Set(once).size).toBe(once.length);
      for (const serialNumber of once) expect(serialNumber).toMatch(/^[A-Z0-9_-]{1,64}$/);
      const plain = once.filter((each) => !/^(SN|SERIAL|NUMBER|NO)$/.test(each));
      expect(parseSerialNumbers(plain.join('\n'))).toEqual(plain);
    }),
  );
});
