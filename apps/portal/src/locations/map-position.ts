import type { MapArea } from '@deviceportal/contract/map-area';

/** The center of the map in degrees, and its zoom. */
export interface MapPosition {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

/** The visible part of the map. */
export interface MapWindow {
  readonly bbox: MapArea;
  readonly zoom: number;
}

export const worldWindow: MapWindow = {
  bbox: { west: -180, south: -85, east: 180, north: 85 },
  zoom: 1,
};

const WORLD_PIXELS = 512;
const HIGHEST_LATITUDE = 85;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (value: number): number => (value * 180) / Math.PI;

/** `52.52,13.4,5`. Undefined if the position is invalid. */
export function parseMapPosition(text: string): MapPosition | undefined {
  const numbers = text.split(',').map(Number);
  const [latitude, longitude, zoom] = numbers;
  if (latitude === undefined || longitude === undefined || zoom === undefined) return undefined;
  const isPlace =
    text !== '' &&
    numbers.length === 3 &&
    Math.abs(latitude) <= HIGHEST_LATITUDE &&
    Math.abs(longitude) <= 180 &&
    zoom >= 0 &&
    zoom <= 22;
  return isPlace ? { latitude, longitude, zoom } : undefined;
}

export function formatMapPosition({ latitude, longitude, zoom }: MapPosition): string {
  // The precision of a pixel. More digits would only lengthen the address.
  const digits = Math.min(5, Math.max(0, Math.ceil(zoom / 3.3)));
  return [latitude.toFixed(digits), wrap(longitude).toFixed(digits), zoom.toFixed(1)]
    .map(Number)
    .join(',');
}

/** The visible area at a position for a map of this size, in Web Mercator. */
export function windowOf(
  { latitude, longitude, zoom }: MapPosition,
  size: { readonly widthPx: number; readonly heightPx: number },
): MapWindow {
  const scale = WORLD_PIXELS * 2 ** zoom;
  const wide = (size.widthPx / scale) * 180;
  const middle = Math.log(Math.tan(Math.PI / 4 + radians(latitude) / 2));
  const high = (size.heightPx / scale) * Math.PI;
  const latitudeAt = (y: number): number => degrees(2 * Math.atan(Math.exp(y)) - Math.PI / 2);
  return toWindow({
    west: longitude - wide,
    east: longitude + wide,
    south: latitudeAt(middle - high),
    north: latitudeAt(middle + high),
    zoom,
  });
}

/** Approximates the visible area of a map of this size that shows an area in full. */
export function windowOfArea(bbox: MapArea, { widthPx }: { readonly widthPx: number }): MapWindow {
  const wide = bbox.east - bbox.west + (bbox.east < bbox.west ? 360 : 0);
  const zoom = Math.log2(((widthPx / WORLD_PIXELS) * 360) / Math.max(wide, 0.01));
  return { bbox, zoom: round(Math.min(15, Math.max(0, zoom))) };
}

/** Reduces the edges of a map, which can show the world more than once, to a part of the world. */
export function toWindow(edges: MapArea & { readonly zoom: number }): MapWindow {
  const whole = edges.east - edges.west >= 360;
  return {
    bbox: {
      west: whole ? -180 : round(wrap(edges.west)),
      east: whole ? 180 : round(wrap(edges.east)),
      south: round(Math.max(-90, edges.south)),
      north: round(Math.min(90, edges.north)),
    },
    // The zoom of a narrow map of the whole world can be slightly below 0.
    zoom: Math.max(0, Math.round(edges.zoom * 10) / 10),
  };
}

const wrap = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;
const round = (value: number): number => Math.round(value * 1_000) / 1_000;
