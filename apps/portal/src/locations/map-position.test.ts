import { describe, expect, it } from 'vitest';
import {
  formatMapPosition,
  parseMapPosition,
  toWindow,
  windowOf,
  windowOfArea,
} from './map-position.ts';

describe('the map position in the address', () => {
  it('a position is restored from the address to about a pixel', () => {
    const position = { latitude: 52.52437, longitude: 13.41053, zoom: 12.34 };
    const read = parseMapPosition(formatMapPosition(position));
    expect(read?.latitude).toBeCloseTo(position.latitude, 3);
    expect(read?.longitude).toBeCloseTo(position.longitude, 3);
    expect(read?.zoom).toBeCloseTo(position.zoom, 1);
  });

  it('rejects invalid positions', () => {
    for (const text of ['', 'a,b,c', '1,2', '1,2,3,4', '95,0,3', '0,190,3', '0,0,99'])
      expect(parseMapPosition(text)).toBeUndefined();
  });

  it('a map that shows the world more than once requests the world once', () => {
    const { bbox } = windowOf(
      { latitude: 0, longitude: 20, zoom: 0 },
      { widthPx: 1_600, heightPx: 900 },
    );
    expect(bbox).toMatchObject({ west: -180, east: 180 });
    expect(toWindow({ west: 170, east: 200, south: -10, north: 10, zoom: 4 }).bbox).toMatchObject({
      west: 170,
      east: -160,
    });
  });

  it('a narrow map that shows more than the world requests the world', () => {
    const edges = { west: -200, east: 200, south: -80, north: 80 };
    expect(toWindow({ ...edges, zoom: -0.1 }).zoom).toBe(0);
  });

  it('an area in the address is requested about as a map of its width shows it', () => {
    const size = { widthPx: 1_200, heightPx: 600 };
    for (const bbox of [
      { west: 100, south: 18, east: 125, north: 45 },
      { west: 170, south: -50, east: -175, north: -30 },
    ]) {
      const { zoom } = windowOfArea(bbox, size);
      const wide = windowOf({ latitude: 0, longitude: 0, zoom }, size).bbox.east * 2;
      expect(wide).toBeCloseTo(bbox.east - bbox.west + (bbox.east < bbox.west ? 360 : 0), 0);
    }
  });
});
