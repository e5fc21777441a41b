import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromMap, toMap, type Place } from './map-datum.ts';

const METERS_PER_DEGREE = 111_320;

function metersBetween(one: Place, other: Place): number {
  const north = (one.latitude - other.latitude) * METERS_PER_DEGREE;
  const shrink = Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(north, (one.longitude - other.longitude) * METERS_PER_DEGREE * shrink);
}

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Away from the edges of the rectangle in which a place without a country is shifted. */
const inChina = fc.record({ latitude: degrees(18, 53), longitude: degrees(74, 134) });
const elsewhere = fc.oneof(
  fc.record({ latitude: degrees(-85, 85), longitude: degrees(-180, 72) }),
  fc.record({ latitude: degrees(-85, 85), longitude: degrees(138, 180) }),
  fc.record({ latitude: degrees(-85, 0.8), longitude: degrees(-180, 180) }),
  fc.record({ latitude: degrees(56, 85), longitude: degrees(-180, 180) }),
);

describe('a map in GCJ-02', () => {
  test.each([
    // Test values of github.com/googollee/eviltransform.
    ['Shanghai', [31.1774276, 121.5272106], [31.17530398, 121.53154186]],
    ['Shenzhen', [22.543847, 113.912316], [22.54079613, 113.91717648]],
    ['Beijing', [39.911954, 116.377817], [39.91334546, 116.38404722]],
  ] as const)('draws %s where its tiles have it', (_city, from, to) => {
    const shown = toMap({ latitude: from[0], longitude: from[1], country: 'CN' }, 'gcj02');
    expect(shown.latitude).toBeCloseTo(to[0], 6);
    expect(shown.longitude).toBeCloseTo(to[1], 6);
  });

  test('leads back to each place in China within a meter', () => {
    fc.assert(
      fc.property(inChina, (place) => {
        const shown = toMap(place, 'gcj02');
        const shift = metersBetween(place, shown);
        expect(shift).toBeGreaterThan(0);
        expect(shift).toBeLessThan(1_500);
        expect(metersBetween(place, fromMap(shown, 'gcj02'))).toBeLessThan(1);
      }),
    );
  });

  test('shifts nothing outside the rectangle around China', () => {
    fc.assert(
      fc.property(elsewhere, (place) => {
        expect(metersBetween(place, toMap(place, 'gcj02'))).toBe(0);
        expect(metersBetween(place, fromMap(place, 'gcj02'))).toBe(0);
      }),
    );
  });

  test('does not shift devices in other countries of that rectangle', () => {
    const seoul = { latitude: 37.5665, longitude: 126.978, country: 'KR' };
    expect(toMap(seoul, 'gcj02')).toEqual(seoul);
  });

  test('shifts the same on the next copy of the world', () => {
    const shown = toMap({ latitude: 39.911954, longitude: 116.377817 + 360 }, 'gcj02');
    expect(shown.longitude).toBeCloseTo(116.38404722 + 360, 6);
  });
});

test('a map in WGS-84 shifts nothing', () => {
  fc.assert(
    fc.property(inChina, (place) => {
      expect(toMap(place, 'wgs84')).toEqual(place);
      expect(fromMap(place, undefined)).toEqual(place);
    }),
  );
});
