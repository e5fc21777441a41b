import { writeFile } from 'node:fs/promises';
import { geoDistance } from 'd3-geo';
import type { Position } from 'geojson';
import type { CountryPlace } from '@deviceportal/contract/country-places';
import { holds, readCountryParts, type CountryPart } from './country-parts.ts';

const EARTH_RADIUS_KM = 6_371;
/** The share of a country’s area that the ring must contain. The rest are remote islands. */
const RING_SHARE = 0.97;
const STEPS = 40;
/**
 * Islands missing from the atlas to which IP addresses are assigned. Points and radii are from
 * their gazetteers.
 */
const leftOut: ReadonlyMap<string, CountryPlace> = new Map([
  ['BV', [-54.4, 3.4, 10]],
  ['CC', [-12.2, 96.8, 20]],
  ['CX', [-10.5, 105.6, 20]],
  ['TK', [-9.2, -171.8, 100]],
]);
/** Label points for shapes around a pole, where a planar center does not exist. */
const aroundPole: Readonly<Record<string, Position>> = { AQ: [50, -82] };

/**
 * Writes `packages/contract/src/locations/country-places.ts`: for each country the point of its
 * label, well inside its largest land area, and the distance that its land extends from there. Run
 * by hand after an update of world-atlas: `node apps/portal/build/make-country-places.ts`.
 */
async function main(): Promise<void> {
  const parts = await readCountryParts();
  const drawn = [...parts].map(([code, own]): [string, CountryPlace] => {
    const [longitude = 0, latitude = 0] = aroundPole[code] ?? labelPoint(own[0] as CountryPart);
    return [code, [round(latitude), round(longitude), reachOf([longitude, latitude], own)]];
  });
  const rows = [...leftOut, ...drawn]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, place]) => `  ${code}: [${place.join(', ')}],`);
  const target = new URL(
    '../../../packages/contract/src/locations/country-places.ts',
    import.meta.url,
  );
  await writeFile(target, `${HEAD}${rows.join('\n')}\n};\n`);
}

const HEAD = `/** Location of a country on a world map. */
export type CountryPlace = readonly [latitude: number, longitude: number, reachKilometers: number];

/**
 * By ISO 3166-1 alpha-2: a point inside the country's largest land area, in degrees, and the extent
 * of its land. Computed from Natural Earth (public domain) by
 * \`apps/portal/build/make-country-places.ts\`.
 */
export const countryPlaces: Readonly<Record<string, CountryPlace>> = {
`;

/** A point far from coasts and borders, and close to the center of the country. */
function labelPoint({ polygon }: CountryPart): Position {
  const [ring = []] = polygon.coordinates.map(unwrapped);
  const xs = ring.map(([x = 0]) => x);
  const ys = ring.map(([, y = 0]) => y);
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [south, north] = [Math.min(...ys), Math.max(...ys)];
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const flat = ring.map(([x = 0, y = 0]): Position => [x * squeeze, y]);
  const middle: Position = [((west + east) / 2) * squeeze, (south + north) / 2];
  let best: { point: Position; worth: number } = {
    point: [west, south],
    worth: Number.NEGATIVE_INFINITY,
  };
  for (let column = 1; column < STEPS; column += 1) {
    for (let row = 1; row < STEPS; row += 1) {
      const x = (west + ((east - west) * column) / STEPS) * squeeze;
      const y = south + ((north - south) * row) / STEPS;
      if (!holds(flat, [x, y])) continue;
      const off = Math.hypot(x - (middle[0] ?? 0), y - (middle[1] ?? 0));
      const worth = edgeDistance(flat, [x, y]) - off * 0.25;
      if (worth > best.worth) best = { point: [x / squeeze, y], worth };
    }
  }
  const [longitude = 0, latitude = 0] = best.point;
  return [longitude > 180 ? longitude - 360 : longitude, latitude];
}

/** Coordinates of a ring that crosses the antimeridian continue beyond 180 degrees. */
function unwrapped(ring: readonly Position[]): Position[] {
  const xs = ring.map(([x = 0]) => x);
  const crosses = Math.max(...xs) - Math.min(...xs) > 180;
  return ring.map(([x = 0, y = 0]) => [crosses && x < 0 ? x + 360 : x, y]);
}

function edgeDistance(ring: readonly Position[], [x = 0, y = 0]: Position): number {
  return Math.min(
    ...ring.map(([x1 = 0, y1 = 0], index) => {
      const [x2 = 0, y2 = 0] = ring.at(index - 1) ?? [];
      const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
      const along = length === 0 ? 0 : ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length;
      const at = Math.max(0, Math.min(1, along));
      return Math.hypot(x - x1 - at * (x2 - x1), y - y1 - at * (y2 - y1));
    }),
  );
}

/** Kilometers, rounded up to tens, at least 10. */
function reachOf(from: Position, parts: readonly CountryPart[]): number {
  const whole = parts.reduce((sum, { area }) => sum + area, 0);
  let held = 0;
  let reach = 0;
  for (const { polygon, area } of parts) {
    if (held >= whole * RING_SHARE) break;
    held += area;
    for (const corner of polygon.coordinates[0] ?? [])
      reach = Math.max(reach, geoDistance(from as [number, number], corner as [number, number]));
  }
  return Math.max(10, Math.ceil((reach * EARTH_RADIUS_KM) / 10) * 10);
}

const round = (degrees: number): number => Math.round(degrees * 10) / 10;

await main();
