import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { geoEquirectangular, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { ReportMap, ReportPlace } from '@deviceportal/contract/user-report-document';

const WIDTH = 480;
const HEIGHT = 200;
/** The map shows the region of a country, not the street. */
const MARGIN_DEGREES = 4;
const EARTH_RADIUS_METERS = 6_371_000;

type World = Topology<{ land: GeometryCollection }>;
let world: World | undefined;

function readWorld(): World {
  const path = fileURLToPath(import.meta.resolve('world-atlas/land-50m.json'));
  world ??= JSON.parse(readFileSync(path, 'utf8')) as World;
  return world;
}

/** The newest location of each device on the surrounding land, without borders; null if no location is known. */
export function drawReportMap(places: readonly ReportPlace[]): ReportMap | null {
  const newest = new Map<string, ReportPlace>();
  for (const place of places) {
    const known = newest.get(place.deviceId);
    if (known === undefined || known.at < place.at) newest.set(place.deviceId, place);
  }
  const shown = [...newest.values()];
  if (shown.length === 0) return null;
  const edges = (values: readonly number[]): [number, number] => [
    Math.min(...values) - MARGIN_DEGREES,
    Math.max(...values) + MARGIN_DEGREES,
  ];
  const [west, east] = edges(shown.map(({ longitude }) => longitude));
  const [south, north] = edges(shown.map(({ latitude }) => latitude));
  const projection = geoEquirectangular()
    .fitExtent(
      [
        [0, 0],
        [WIDTH, HEIGHT],
      ],
      {
        type: 'MultiPoint',
        coordinates: [
          [west, Math.max(-85, south)],
          [east, Math.min(85, north)],
        ],
      },
    )
    .clipExtent([
      [0, 0],
      [WIDTH, HEIGHT],
    ]);
  const topology = readWorld();
  const land = geoPath(projection).digits(1)(feature(topology, topology.objects.land)) ?? '';
  const points = shown.flatMap((place) => {
    const { device, longitude, latitude } = place;
    const [x, y] = projection([longitude, latitude]) ?? [];
    return x === undefined || y === undefined
      ? []
      : [{ x: round(x), y: round(y), device, ...reachOf(place, projection.scale()) }];
  });
  return { width: WIDTH, height: HEIGHT, land, points };
}

/** For a location known by country only: its radius in units of the map, along a meridian. */
function reachOf({ source, accuracyMeters }: ReportPlace, scale: number): { reach?: number } {
  return source === 'address'
    ? { reach: round((accuracyMeters / EARTH_RADIUS_METERS) * scale) }
    : {};
}

const round = (value: number): number => Math.round(value * 10) / 10;
