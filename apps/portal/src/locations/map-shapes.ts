import type { Feature, FeatureCollection, Position } from 'geojson';
import type { MapDatum } from '@deviceportal/contract/browser-config';
import { toMap, type Place } from './datum/map-datum.ts';

export interface MapPoint extends Place {
  readonly id: string;
  /** Determines the size. 1 for a single device. */
  readonly count: number;
  /** The online share of the count, 0 … 1. Determines the color. */
  readonly onlineShare: number;
  /** Drawn as a ring around the point. */
  readonly accuracyMeters?: number;
}

export interface MapContent {
  readonly points: readonly MapPoint[];
  /** Oldest first, drawn as a line. */
  readonly track: readonly Place[];
}

/** Where a map draws its content. */
export const contentOnMap = (
  { points, track }: MapContent,
  datum: MapDatum | undefined,
): MapContent => ({
  points: points.map((point) => toMap(point, datum)),
  track: track.map((place) => toMap(place, datum)),
});

const EARTH_RADIUS_METERS = 6_371_008.8;
const CORNERS = 64;
const degrees = (radians: number): number => (radians * 180) / Math.PI;
const radians = (value: number): number => (value * Math.PI) / 180;

/**
 * A closed ring at a distance around a point on the sphere. Longitudes continue beyond ±180, as the
 * map library requires.
 */
export function accuracyRing(
  center: { readonly latitude: number; readonly longitude: number },
  distanceMeters: number,
): Position[] {
  const angle = Math.min(distanceMeters / EARTH_RADIUS_METERS, Math.PI / 4);
  const latitude = radians(center.latitude);
  const ring = Array.from({ length: CORNERS }, (_, corner): Position => {
    const bearing = (corner / CORNERS) * 2 * Math.PI;
    const north = Math.asin(
      Math.sin(latitude) * Math.cos(angle) +
        Math.cos(latitude) * Math.sin(angle) * Math.cos(bearing),
    );
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(latitude),
      Math.cos(angle) - Math.sin(latitude) * Math.sin(north),
    );
    return [center.longitude + degrees(east), degrees(north)];
  });
  const [first] = ring;
  return first === undefined ? [] : [...ring, first];
}

/** All shapes as one feature collection. `kind` selects the layer. */
export function toFeatures({ points, track }: MapContent): FeatureCollection {
  const rings = points.flatMap((point): Feature[] =>
    point.accuracyMeters === undefined
      ? []
      : [
          {
            type: 'Feature',
            properties: { kind: 'accuracy' },
            geometry: { type: 'Polygon', coordinates: [accuracyRing(point, point.accuracyMeters)] },
          },
        ],
  );
  const line: Feature[] =
    track.length < 2
      ? []
      : [
          {
            type: 'Feature',
            properties: { kind: 'track' },
            geometry: {
              type: 'LineString',
              coordinates: track.map(({ longitude, latitude }) => [longitude, latitude]),
            },
          },
        ];
  const dots = points.map(({ id, longitude, latitude, count, onlineShare }): Feature => ({
    type: 'Feature',
    properties: { kind: 'point', id, count, onlineShare, text: count > 1 ? String(count) : '' },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  }));
  return { type: 'FeatureCollection', features: [...rings, ...line, ...dots] };
}

export type Bounds = [west: number, south: number, east: number, north: number];

/** The initial bounds of the map. Null without content. */
export function boundsOf(content: MapContent): Bounds | null {
  const rings = content.points.flatMap((point) =>
    point.accuracyMeters === undefined ? [] : accuracyRing(point, point.accuracyMeters),
  );
  const places = [...content.points, ...content.track].map((place): Position => [
    place.longitude,
    place.latitude,
  ]);
  const all = [...places, ...rings];
  if (all.length === 0) return null;
  const longitudes = all.map(([longitude = 0]) => longitude);
  const latitudes = all.map(([, latitude = 0]) => latitude);
  return [
    Math.min(...longitudes),
    Math.min(...latitudes),
    Math.max(...longitudes),
    Math.max(...latitudes),
  ];
}
