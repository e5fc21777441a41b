import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_CELLS } from '@deviceportal/contract/locations';
import { formatMapArea, parseMapArea, toTenth } from '@deviceportal/contract/map-area';
import { areaOfCell, columnOf, levelFor, rangeOf, rowOf, widenToCells } from './map-grid.ts';

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const area = fc.tuple(longitude, latitude, longitude, latitude).map(([west, one, east, other]) => ({
  west,
  south: Math.min(one, other),
  east,
  north: Math.max(one, other),
}));

describe('the grid of the map', () => {
  it('limits the number of cells of every view', () => {
    fc.assert(
      fc.property(area, fc.double({ min: 0, max: 22, noNaN: true }), (bbox, zoom) => {
        const range = rangeOf(bbox);
        const level = levelFor(zoom, range);
        const wide = widenToCells(range, level);
        const rows = (wide.toRow >> level) - (wide.fromRow >> level) + 1;
        const columns = wide.columns.reduce(
          (sum, { from, to }) => sum + (to >> level) - (from >> level) + 1,
          0,
        );
        expect(rows * columns).toBeLessThanOrEqual(MOST_CELLS);
      }),
    );
  });

  it('places a location in the area of its cell, and two locations that round to one in the same cell at every level', () => {
    fc.assert(
      fc.property(latitude, longitude, fc.integer({ min: 0, max: 9 }), (lat, lng, level) => {
        const cell = areaOfCell(rowOf(lat) >> level, columnOf(lng) >> level, level);
        expect(toTenth(lat)).toBeGreaterThanOrEqual(cell.south);
        expect(toTenth(lat)).toBeLessThanOrEqual(cell.north);
        expect(toTenth(lng)).toBeGreaterThanOrEqual(cell.west);
        expect(toTenth(lng)).toBeLessThanOrEqual(cell.east);
        expect(rowOf(toTenth(lat))).toBe(rowOf(lat));
        expect(columnOf(toTenth(lng))).toBe(columnOf(lng));
      }),
    );
  });

  it('restores an area from a URL, rounded to tenths, and rejects invalid ones', () => {
    expect(
      parseMapArea(formatMapArea({ west: 179.96, south: -0.04, east: -170, north: 12.34 })),
    ).toEqual({ west: 180, south: 0, east: -170, north: 12.3 });
    expect(parseMapArea('5.1,47.2,15,55.0')).toEqual({
      west: 5.1,
      south: 47.2,
      east: 15,
      north: 55,
    });
    for (const text of ['', '1/2/3', '1/2/3/4/5', '200/0/1/1', '0/2/1/1', 'a/b/c/d'])
      expect(parseMapArea(text)).toBeUndefined();
  });
});
