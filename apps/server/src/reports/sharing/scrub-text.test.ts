import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScrubber, HIDDEN, LONGEST_TEXT } from './scrub-text.ts';

const scrubber = createScrubber({
  names: ['Ana Kovač', 'sam.support'],
  contacts: ['maria@customer.example', '+4915112345678'],
  keptContacts: [],
  otherPeople: true,
  countries: ['DE'],
  networks: true,
  places: true,
});

describe('what is hidden in texts', () => {
  it.each([
    ['password=hunter2 ok', `password=${HIDDEN} ok`],
    ['Authorization: Bearer abc.def-123', `Authorization: Bearer ${HIDDEN}`],
    ['mqtts://kiosk:geheim@broker.example:8883', `mqtts://${HIDDEN}:8883`],
    ['"api_key": "a1b2c3"', `"api_key": ${HIDDEN}`],
    ['AKIAIOSFODNN7EXAMPLE', HIDDEN],
    ['ANA KOVAČ called', `${HIDDEN} ${HIDDEN} called`],
    ['from 192.0.2.17 and fe80:0:0:0:1:2:3:4', `from ${HIDDEN} and ${HIDDEN}`],
    ['mail jo@other.example now', `mail ${HIDDEN} now`],
  ])('[report-redact-1] %s', (text, clean) => {
    expect(scrubber.text(text)).toBe(clean);
  });

  it('[report-redact-2] ordinary words stay: a version is no address, a longer word no name', () => {
    const text = 'firmware 1.8.0.2 of kiosk-9, anatomy of the support desk';
    expect(
      createScrubber({
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

  it('[report-redact-3] no name and no e-mail address survives, whatever stands around it', () => {
    const around = fc
      .string({ maxLength: 20 })
      .map((text) => text.replaceAll(/[\p{L}\p{N}]/gu, ' '));
    fc.assert(
      fc.property(around, around, (before, after) => {
        const clean = scrubber.text(
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
  ])('[report-redact-8] no part of "%s" is left where a long text is cut within it', (secret) => {
    // What a detector leaves of it in the middle of a text may stand at the end, too.
    const whole = scrubber.text(`${' x'.repeat(50)} ${secret} ${'y '.repeat(50)}`);
    const left = new Set(whole.match(/\S+/g));
    for (const sign of [' ', '.', '中']) {
      const step = Math.ceil(secret.length / 20);
      for (let from = LONGEST_TEXT - secret.length - 1; from <= LONGEST_TEXT; from += step) {
        const text = `${sign.repeat(from - 1)} ${secret} ${'y '.repeat(1_000)}`;
        const pieces = scrubber.text(text).replaceAll(sign, ' ').match(/\S+/g) ?? [];
        expect(pieces.filter((one) => !left.has(one) && !/^[•…]+$/.test(one))).toEqual([]);
      }
    }
  });

  it('[report-redact-9] a text that is cut off says so, at the end of a word', () => {
    const clean = scrubber.text('word '.repeat(LONGEST_TEXT));
    expect(clean.length).toBeLessThanOrEqual(LONGEST_TEXT + 2);
    expect(clean.endsWith('word …')).toBe(true);
    expect(scrubber.text('short')).toBe('short');
  });
});
