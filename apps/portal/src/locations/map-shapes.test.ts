import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accuracyRing, boundsOf, toFeatures } from './map-shapes.ts';

const EARTH_RADIUS_METERS = 6_371_008.8;
const radians = (value: number): number => (value * Math.PI) / 180;

function distanceMeters(one: readonly number[], other: readonly number[]): number {
  const [lon1 = 0, lat1 = 0] = one.map(radians);
  const [lon2 = 0, lat2 = 0] = other.map(radians);
  const half =
    Math.sin((lat2 - lat1) / 2) ** 2 +
    Math.cos(lat1) * Math.cos(lat2) * Math.sin((lon2 - lon1) / 2) ** 2;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(half)));
}

describe('shapes on the map', () => {
  it('every point of an accuracy ring has the given distance from the location', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: 10, max: 200_000, noNaN: true }),
        (latitude, longitude, meters) => {
          const ring = accuracyRing({ latitude, longitude }, meters);
          expect(ring[0]).toEqual(ring.at(-1));
          for (const corner of ring) {
            const off = Math.abs(distanceMeters([longitude, latitude], corner) - meters);
            expect(off).toBeLessThan(meters * 0.001 + 0.5);
          }
        },
      ),
    );
  });

  it('the first view contains the location with its accuracy and the history', () => {
    const bounds = boundsOf({
      points: [
        { id: 'a', latitude: 50, longitude: 10, count: 1, onlineShare: 1, accuracyMeters: 111_195 },
      ],
      track: [{ latitude: 40, longitude: 12 }],
    });
    expect(bounds?.[1]).toBeCloseTo(40);
    expect(bounds?.[3]).toBeCloseTo(51, 1);
    expect(boundsOf({ points: [], track: [] })).toBeNull();
  });

  it('a single location draws no line, and a single device no number', () => {
    const point = { id: 'a', latitude: 1, longitude: 2, count: 1, onlineShare: 0 };
    const { features } = toFeatures({ points: [point], track: [{ latitude: 1, longitude: 2 }] });
    expect(features.map(({ properties }) => properties?.['kind'])).toEqual(['point']);
    expect(features[0]?.properties?.['text']).toBe('');
  });
});
