import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { geoEquirectangular } from 'd3-geo';
import { geoProject } from 'd3-geo-projection';
import { feature, mesh } from 'topojson-client';
import type { GeoJSON, GeometryObject as GeoGeometry } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { countryCodeOf } from './country-codes.ts';

const require = createRequire(import.meta.url);

/**
 * The offline basemap: land, countries, and borders of world-atlas, cut at the antimeridian,
 * because shapes that cross it draw bands over the whole map. Coordinates have two decimals.
 * Returns the directory of `land.json`, `countries.json`, and `borders.json`, each with a `-fine`
 * version for higher zoom levels.
 */
export async function prepareBasemap(cacheDirectory: string): Promise<string> {
  const directory = join(cacheDirectory, 'basemap');
  await mkdir(directory, { recursive: true });
  for (const [scale, suffix] of [
    ['110m', ''],
    ['50m', '-fine'],
  ]) {
    const land = await readTopology(`world-atlas/land-${scale}.json`);
    const topology = await readTopology(`world-atlas/countries-${scale}.json`);
    const countries = topology.objects['countries'] as GeometryCollection;
    const borders = mesh(topology, countries, (one, other) => one !== other);
    const shapes = {
      land: feature(land, land.objects['land'] as GeometryCollection),
      countries: codedCountries(topology, countries),
      borders: { type: 'Feature', properties: {}, geometry: borders } as const,
    };
    for (const [name, shape] of Object.entries(shapes))
      await writeFile(join(directory, `${name}${suffix}.json`), serialize(cut(shape)));
  }
  return directory;
}

/** Keeps only the country code. Names come from the browser’s locale data. */
function codedCountries(topology: Topology, countries: GeometryCollection): GeoJSON {
  const { features } = feature(topology, countries);
  return {
    type: 'FeatureCollection',
    features: features.map((shape) => ({
      type: 'Feature',
      properties: { code: countryCodeOf(shape) ?? '' },
      geometry: shape.geometry,
    })),
  };
}

async function readTopology(name: string): Promise<Topology> {
  return JSON.parse(await readFile(require.resolve(name), 'utf8')) as Topology;
}

/**
 * Projects to an equirectangular plane with one pixel per degree: x is the longitude, y is minus
 * the latitude.
 */
function cut(shape: GeoJSON): GeoJSON {
  const projection = geoEquirectangular()
    .scale(180 / Math.PI)
    .translate([0, 0])
    .precision(0);
  return geoProject(shape, projection) as GeoJSON;
}

function serialize(shape: GeoJSON): string {
  return JSON.stringify(flip(shape));
}

function flip(shape: unknown): unknown {
  if (Array.isArray(shape)) {
    if (typeof shape[0] === 'number' && typeof shape[1] === 'number') {
      return [round(shape[0]), round(-shape[1])];
    }
    return shape.map(flip);
  }
  if (typeof shape !== 'object' || shape === null) return shape;
  const entries = Object.entries(shape as GeoGeometry & Record<string, unknown>);
  return Object.fromEntries(entries.map(([key, value]) => [key, flip(value)]));
}

const round = (degrees: number): number => Math.round(degrees * 100) / 100;
