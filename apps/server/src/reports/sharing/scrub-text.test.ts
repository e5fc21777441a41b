import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScrubber, HIDDEN } from './scrub-text.ts';

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
});
