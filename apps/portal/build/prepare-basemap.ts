import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { geoEquirectangular } from 'd3-geo';
import { geoProject } from 'd3-geo-projection';
import { feature, mesh } from 'topojson-client';
import type { GeoJSON, GeometryObject as GeoGeometry } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';

const require = createRequire(import.meta.url);

/**
 * The offline basemap: land and borders of world-atlas, cut at the antimeridian, which the raw shapes cross and so
 * draw bands over the whole map. Coordinates keep two decimals. Answers the directory of `land.json`,
 * `land-fine.json` for maps that are zoomed in, and `borders.json`.
 */
export async function prepareBasemap(cacheDirectory: string): Promise<string> {
  const directory = join(cacheDirectory, 'basemap');
  await mkdir(directory, { recursive: true });
  const land = await readTopology('world-atlas/land-110m.json');
  const countries = await readTopology('world-atlas/countries-110m.json');
  const fine = await readTopology('world-atlas/land-50m.json');
  const landShape = feature(land, land.objects['land'] as GeometryCollection);
  const borders = mesh(
    countries,
    countries.objects['countries'] as GeometryCollection,
    (one, other) => one !== other,
  );
  await writeFile(join(directory, 'land.json'), serialise(cut(landShape)));
  await writeFile(
    join(directory, 'land-fine.json'),
    serialise(cut(feature(fine, fine.objects['land'] as GeometryCollection))),
  );
  await writeFile(
    join(directory, 'borders.json'),
    serialise(cut({ type: 'Feature', properties: {}, geometry: borders })),
  );
  return directory;
}

async function readTopology(name: string): Promise<Topology> {
  return JSON.parse(await readFile(require.resolve(name), 'utf8')) as Topology;
}

/** An equirectangular projection at one pixel a degree: its plane coordinates are longitude and minus latitude. */
function cut(shape: GeoJSON): GeoJSON {
  const projection = geoEquirectangular()
    .scale(180 / Math.PI)
    .translate([0, 0])
    .precision(0);
  return geoProject(shape, projection) as GeoJSON;
}

function serialise(shape: GeoJSON): string {
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
