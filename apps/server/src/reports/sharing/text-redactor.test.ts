import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextRedactor, HIDDEN, LONGEST_TEXT } from './text-redactor.ts';

const redactor = createTextRedactor({
  names: ['Ana Kovač', 'sam.support'],
  contacts: ['maria@customer.example', '+4915112345678'],
  keptContacts: [],
  otherPeople: true,
  countries: ['DE'],
  networks: true,
  places: true,
});

describe('redaction of texts', () => {
  it.each([
    ['password=hunter2 ok', `password=${HIDDEN} ok`],
    ['Authorization: Bearer abc.def-123', `Authorization: Bearer ${HIDDEN}`],
    ['mqtts://kiosk:geheim@broker.example:8883', `mqtts://${HIDDEN}:8883`],
    ['"api_key": "a1b2c3"', `"api_key": ${HIDDEN}`],
    ['AKIAIOSFODNN7EXAMPLE', HIDDEN],
    ['ANA KOVAČ called', `${HIDDEN} ${HIDDEN} called`],
    ['from 192.0.2.17 and fe80:0:0:0:1:2:3:4', `from ${HIDDEN} and ${HIDDEN}`],
    ['mail jo@other.example now', `mail ${HIDDEN} now`],
  ])('%s', (text, clean) => {
    expect(redactor.text(text)).toBe(clean);
  });

  it('keeps ordinary words: a version is not an address, a longer word is not a name', () => {
    const text = 'firmware 1.8.0.2 of kiosk-9, anatomy of the support desk';
    expect(
      createTextRedactor({
        names: ['sam.support'],
        contacts: [],
        keptContacts: [],
        otherPeople: true,
        countries: ['DE'],
        networks: false,
        places: false,
      }).text(text),
    ).toBe(text);
  });

  it('hides every name and email address, whatever surrounds it', () => {
    const around = fc
      .string({ maxLength: 20 })
      .map((text) => text.replaceAll(/[\p{L}\p{N}]/gu, ' '));
    fc.assert(
      fc.property(around, around, (before, after) => {
        const clean = redactor.text(
          `${before} Ana Kovač ${after} maria@customer.example ${before}`,
        );
        expect(clean).not.toMatch(/kovač|maria@customer/i);
      }),
    );
  });

  it.each([
    'password=correct-horse-battery-staple-4711',
    'maria@customer.example',
    'DE89 3704 0044 0532 0130 00',
    '4111 1111 1111 1111',
    'Ana Kovač',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
    '2001:db8:0:1:2:3:4:5',
    `-----BEGIN PRIVATE KEY-----\n${'Mc9x'.repeat(400)}\n-----END PRIVATE KEY-----`,
  ])('leaves no part of "%s" where a long text is truncated within it', (secret) => {
    // What a detector leaves within a text may also be left at its end.
    const whole = redactor.text(`${' x'.repeat(50)} ${secret} ${'y '.repeat(50)}`);
    const left = new Set(whole.match(/\S+/g));
    for (const sign of [' ', '.', '中']) {
      const step = Math.ceil(secret.length / 20);
      for (let from = LONGEST_TEXT - secret.length - 1; from <= LONGEST_TEXT; from += step) {
        const text = `${sign.repeat(from - 1)} ${secret} ${'y '.repeat(1_000)}`;
        const pieces = redactor.text(text).replaceAll(sign, ' ').match(/\S+/g) ?? [];
        expect(pieces.filter((one) => !left.has(one) && !/^[•…]+$/.test(one))).toEqual([]);
      }
    }
  });

  it('marks a truncated text at the end of a word', () => {
    const clean = redactor.text('word '.repeat(LONGEST_TEXT));
    expect(clean.length).toBeLessThanOrEqual(LONGEST_TEXT + 2);
    expect(clean.endsWith('word …')).toBe(true);
    expect(redactor.text('short')).toBe('short');
  });
});
