import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIdentifier, parsePhoneNumber } from './identifier.ts';

describe('identifier', () => {
  it('surrounding spaces and full-width characters are ignored', () => {
    expect(parseIdentifier(' ａｎｎａ＠corp.example\u3000').text).toBe('anna@corp.example');
    expect(parseIdentifier('＋48 123 456 789').phoneNumber).toBe('+48123456789');
  });

  it('a number of 7 to 15 digits is a phone number regardless of its grouping', () => {
    const digits = fc.stringMatching(/^[1-9]\d{6,14}$/).chain((number) =>
      fc.tuple(
        fc.constant(number),
        fc.array(fc.constantFrom('', ' ', '-', '.', '('), {
          minLength: number.length,
          maxLength: number.length,
        }),
      ),
    );
    fc.assert(
      fc.property(digits, ([number, gaps]) => {
        const grouped = [...number].map((digit, index) => `${digit}${gaps[index]}`).join('');
        expect(parsePhoneNumber(`+${grouped}`)).toBe(`+${number}`);
      }),
    );
  });

  it.each(['123456789', '+0123456789', '+123456', '+1234567890123456', 'anna', '+48x123456'])(
    '%s is not a phone number',
    (text) => expect(parsePhoneNumber(text)).toBeUndefined(),
  );
});
