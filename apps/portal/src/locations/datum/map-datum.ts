import gcoord from 'gcoord';
import type { MapArea } from '@deviceportal/contract/map-area';
import type { MapDatum } from '@deviceportal/contract/browser-config';

/** A place in degrees of WGS-84, as all data of the portal. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** ISO 3166-1 alpha-2, where known. */
  readonly country?: string | null;
}

/**
 * Where a map draws a place. Maps in GCJ-02 shift mainland China by up to 700 m and nothing else;
 * without a country, everything in the rectangle around China counts as there.
 */
export function toMap<Shown extends Place>(place: Shown, datum: MapDatum | undefined): Shown {
  if (datum !== 'gcj02' || (place.country ?? 'CN') !== 'CN') return place;
  return moved(place, gcoord.WGS84, gcoord.GCJ02);
}

/** The place that a map shows at its own coordinates. */
export function fromMap<Shown extends Place>(shown: Shown, datum: MapDatum | undefined): Shown {
  return datum === 'gcj02' ? moved(shown, gcoord.GCJ02, gcoord.WGS84) : shown;
}

export const areaToMap = (area: MapArea, datum: MapDatum | undefined): MapArea =>
  areaOf(area, (place) => toMap(place, datum));

export const areaFromMap = (area: MapArea, datum: MapDatum | undefined): MapArea =>
  areaOf(area, (place) => fromMap(place, datum));

function moved<Shown extends Place>(
  place: Shown,
  from: typeof gcoord.WGS84 | typeof gcoord.GCJ02,
  to: typeof gcoord.WGS84 | typeof gcoord.GCJ02,
): Shown {
  // A map that shows the world more than once continues beyond 180 degrees.
  const turns = Math.round(place.longitude / 360) * 360;
  const position: [number, number] = [place.longitude - turns, place.latitude];
  const [longitude, latitude] = gcoord.transform(position, from, to);
  return { ...place, latitude, longitude: longitude + turns };
}

function areaOf({ west, south, east, north }: MapArea, move: (place: Place) => Place): MapArea {
  const low = move({ longitude: west, latitude: south });
  const high = move({ longitude: east, latitude: north });
  return { west: low.longitude, south: low.latitude, east: high.longitude, north: high.latitude };
}
