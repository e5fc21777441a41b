import { countryPlaces } from '@deviceportal/contract/country-places';
import type { Transaction } from '../../platform/database/database.ts';
import { applyPositions, type PositionRow } from '../apply-position.ts';
import { confirmAddressPlaces, findAddressMoves } from '../data/position-queries.ts';

/** A device and the country of its address. */
export interface AddressCountry {
  readonly deviceId: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly at: Date;
}

/**
 * Sets the location of devices of which only the country is known: the center of the country, with a radius of its
 * size. Better locations are never replaced, and the history grows only when the country changes. A constant number
 * of statements for any number of devices.
 * @returns the devices whose location changed
 */
export async function applyAddressCountries(
  tx: Transaction,
  rows: readonly AddressCountry[],
): Promise<string[]> {
  const placed = rows.flatMap(toPosition);
  if (placed.length === 0) return [];
  const seen = placed.map(({ deviceId, country, at }) => ({
    deviceId,
    country: country ?? '',
    at,
  }));
  await confirmAddressPlaces(tx, seen);
  const moved = new Set(await findAddressMoves(tx, seen));
  return applyPositions(
    tx,
    placed.filter(({ deviceId }) => moved.has(deviceId)),
  );
}

function toPosition({ deviceId, country, at }: AddressCountry): PositionRow[] {
  const place = countryPlaces[country];
  if (place === undefined) return [];
  const [latitude, longitude, reachKilometers] = place;
  const accuracyMeters = reachKilometers * 1_000;
  return [{ deviceId, at, latitude, longitude, accuracyMeters, source: 'address', country }];
}
