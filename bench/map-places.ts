import type { Database } from '../apps/server/src/platform/database/database.ts';
import { writeInBulk } from './device-list-fleet.ts';

/** Cities by country: latitude, longitude. Half of a country's devices are in its first city. */
const cities: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  PL: [
    [52.23, 21.01],
    [50.06, 19.94],
    [51.11, 17.04],
    [54.35, 18.65],
    [51.76, 19.46],
  ],
  DE: [
    [52.52, 13.41],
    [48.14, 11.58],
    [53.55, 9.99],
    [50.94, 6.96],
    [50.11, 8.68],
  ],
  FR: [
    [48.86, 2.35],
    [45.76, 4.84],
    [43.3, 5.37],
    [43.6, 1.44],
    [44.84, -0.58],
  ],
  CN: [
    [31.23, 121.47],
    [39.9, 116.41],
    [23.13, 113.26],
    [30.57, 104.07],
    [22.54, 114.06],
  ],
  US: [
    [40.71, -74.01],
    [34.05, -118.24],
    [41.88, -87.63],
    [29.76, -95.37],
    [47.61, -122.33],
  ],
  BR: [
    [-23.55, -46.63],
    [-22.91, -43.17],
    [-19.92, -43.94],
    [-12.97, -38.5],
    [-3.73, -38.53],
  ],
  JP: [
    [35.68, 139.69],
    [34.69, 135.5],
    [35.18, 136.91],
    [43.06, 141.35],
    [33.59, 130.4],
  ],
  IN: [
    [28.61, 77.21],
    [19.08, 72.88],
    [12.97, 77.59],
    [13.08, 80.27],
    [22.57, 88.36],
  ],
  NZ: [
    [-36.85, 174.76],
    [-41.29, 174.78],
    [-43.53, 172.64],
    [-37.79, 175.28],
    [-45.87, 170.5],
  ],
};
/** One of this many devices is abroad: in Spain, which is not supported. */
const ABROAD = 500;
export const supportedCountries = Object.keys(cities);

/** Assigns a location to every device: dense in cities, sparse between them, a few abroad. */
export async function fillPlaces(database: Database): Promise<void> {
  const list = Object.entries(cities).flatMap(([country, places]) =>
    places.map(([latitude, longitude], n) => `('${country}', ${n}, ${latitude}, ${longitude})`),
  );
  const chance = (salt: number) =>
    `((hashtextextended(d.id::text, ${salt}) & 2147483647) / 2147483647.0)`;
  await writeInBulk(
    database,
    ['device_location'],
    [
      `insert into device_location (device_id, at, latitude, longitude, accuracy_meters, source, country)
       select d.id, now() - ${chance(1)} * interval '3 days',
         c.latitude + spread * (${chance(2)} - 0.5) * 2, c.longitude + spread * (${chance(3)} - 0.5) * 2, 25, 'gps', c.country
       from (select d.*, case when hashtext(d.id::text) % ${ABROAD} = 0 then 'ES' else country end as place_country,
           case when ${chance(4)} < 0.5 then 0 else 1 + (${chance(5)} * 3.99)::int end as city,
           case when ${chance(6)} < 0.8 then 0.25 else 2.5 end as spread from device d) d
       join (values ${list.join(', ')}, ('ES', 0, 40.42, -3.7), ('ES', 1, 41.39, 2.17), ('ES', 2, 39.47, -0.38),
         ('ES', 3, 37.39, -5.98), ('ES', 4, 43.26, -2.93)) c(country, city, latitude, longitude)
         on c.country = d.place_country and c.city = d.city`,
    ],
  );
}
