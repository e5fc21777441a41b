/**
 * Areas of the map in tenths of a degree. Places are compared after they were rounded to 0.1 degree, for everybody: an
 * area that cut finer would tell, asked often enough, what only `locations:read-precise` may see.
 */
export interface MapArea {
  /** Degrees; a place on an edge is inside. West is greater than east where the area crosses the antimeridian. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export const wholeWorld: MapArea = { west: -180, south: -90, east: 180, north: 90 };

const NUMBER = String.raw`-?\d{1,3}(?:\.\d{1,12})?`;
const AREA = new RegExp(`^(${NUMBER})[/,](${NUMBER})[/,](${NUMBER})[/,](${NUMBER})$`);

/** `west/south/east/north` in degrees, or with commas as in a `bbox`; undefined for what is no area. */
export function parseMapArea(text: string): MapArea | undefined {
  const found = AREA.exec(text.trim());
  if (found === null) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = found.slice(1).map(Number);
  const onEarth =
    [west, east].every((degrees) => Math.abs(degrees) <= 180) &&
    [south, north].every((degrees) => Math.abs(degrees) <= 90);
  return onEarth && south <= north ? { west, south, east, north } : undefined;
}

export function formatMapArea({ west, south, east, north }: MapArea): string {
  return [west, south, east, north].map((degrees) => String(toTenth(degrees))).join('/');
}

/** As places are rounded. */
export const toTenth = (degrees: number): number => Math.floor(degrees * 10 + 0.5) / 10 + 0;
