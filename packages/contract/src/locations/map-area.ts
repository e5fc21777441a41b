/**
 * Map areas in tenths of a degree. For all users, locations are rounded to 0.1 degree before they
 * are compared. Repeated queries with finer areas would otherwise reveal coordinates that require
 * `locations:read-precise`.
 */
export interface MapArea {
  /**
   * Degrees. Locations on an edge are inside. West is greater than east if the area crosses the
   * antimeridian.
   */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export const wholeWorld: MapArea = { west: -180, south: -90, east: 180, north: 90 };

const NUMBER = String.raw`-?\d{1,3}(?:\.\d{1,12})?`;
const AREA = new RegExp(`^(${NUMBER})[/,](${NUMBER})[/,](${NUMBER})[/,](${NUMBER})$`);

/**
 * Parses `west/south/east/north` in degrees, or with commas as in a `bbox`; undefined if it is not
 * an area.
 */
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

/** Rounds as locations are rounded. */
export const toTenth = (degrees: number): number => Math.floor(degrees * 10 + 0.5) / 10 + 0;
