import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { geoArea } from 'd3-geo';
import { feature } from 'topojson-client';
import type { Polygon, Position } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { countryCodeOf } from './country-codes.ts';

/** A contiguous land area of a country. */
export interface CountryPart {
  readonly polygon: Polygon;
  /** Steradians. */
  readonly area: number;
}

/**
 * Parts of France, the Netherlands, Norway, Australia, and New Zealand with their own ISO 3166-1
 * code, each identified by a point on its land in degrees, longitude first.
 */
const partsByPoint: Readonly<Record<string, readonly Position[]>> = {
  GF: [[-53, 4]],
  GP: [
    [-61.65, 16.1],
    [-61.4, 16.3],
  ],
  MQ: [[-61, 14.65]],
  RE: [[55.5, -21.1]],
  YT: [[45.15, -12.82]],
  BQ: [
    [-68.27, 12.2],
    [-62.97, 17.49],
  ],
  SJ: [[16, 78.5]],
};

/** The land areas of every country, largest first, from the finest shapes of world-atlas. */
export async function readCountryParts(): Promise<ReadonlyMap<string, readonly CountryPart[]>> {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-10m.json');
  const topology = JSON.parse(await readFile(path, 'utf8')) as Topology;
  const { features } = feature(topology, topology.objects['countries'] as GeometryCollection);
  const parts = new Map<string, CountryPart[]>();
  for (const shape of features) {
    const code = countryCodeOf(shape);
    if (code === undefined) continue;
    for (const polygon of polygonsOf(shape.geometry as Polygon | MultiPolygonShape)) {
      const owner = ownerOf(polygon) ?? code;
      const own = parts.get(owner) ?? [];
      own.push({ polygon, area: geoArea(polygon) });
      parts.set(owner, own);
    }
  }
  for (const own of parts.values()) own.sort((one, other) => other.area - one.area);
  return parts;
}

interface MultiPolygonShape {
  readonly type: 'MultiPolygon';
  readonly coordinates: Position[][][];
}

const polygonsOf = (shape: Polygon | MultiPolygonShape): Polygon[] =>
  shape.type === 'Polygon'
    ? [shape]
    : shape.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }));

function ownerOf({ coordinates: [ring = []] }: Polygon): string | undefined {
  return Object.entries(partsByPoint).find(([, points]) =>
    points.some((point) => holds(ring, point)),
  )?.[0];
}

/** Whether a planar ring contains a point, by the number of crossings of a line to the east. */
export function holds(ring: readonly Position[], [x = 0, y = 0]: Position): boolean {
  let inside = false;
  for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = 0, y2 = 0] = ring.at(index - 1) ?? [];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}
