import { expect, test } from 'vitest';
import { countrySchema, timeZoneSchema } from './places.ts';

test.each(['DE', 'us', 'CN', 'XK'])('%s is a country', (code) => {
  expect(countrySchema.parse(code)).toBe(code.toUpperCase());
});

test.each(['XX', 'ZZ', 'EU', 'UK', 'AA', 'SU', 'D', 'DEU', 'D1', ''])(
  '%s is no country',
  (code) => {
    expect(countrySchema.safeParse(code).success).toBe(false);
  },
);

test.each(['UTC', 'Europe/Berlin', ' Asia/Shanghai ', 'America/Argentina/Buenos_Aires'])(
  '%s is a time zone',
  (name) => {
    expect(timeZoneSchema.parse(name)).toBe(name.trim());
  },
);

test.each(['Mars/Base', '+01:00', 'Berlin', '', 'Europe/Berlin; drop table device'])(
  '%s is no time zone',
  (name) => {
    expect(timeZoneSchema.safeParse(name).success).toBe(false);
  },
);
