import type { PlacedDevice } from '@deviceportal/contract/locations';
import type { Executor } from '../platform/database/database.ts';
import { selectPlacedDevices, type PlacedQuestion } from './data/placed-device-queries.ts';
import { placeFor } from './place-for.ts';

/** The individual devices in an area, each with its precise or rounded location. */
export async function readPlacedDevices(
  on: Executor,
  {
    supportedCountries,
    ...question
  }: PlacedQuestion & { readonly supportedCountries: readonly string[] },
): Promise<PlacedDevice[]> {
  const found = await selectPlacedDevices(on, question);
  return found.map(({ precise, place, ...row }) => ({
    ...row,
    ...placeFor({ ...place, at: place.at.toISOString() }, precise),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    outside:
      place.country !== null &&
      supportedCountries.length > 0 &&
      !supportedCountries.includes(place.country),
  }));
}
