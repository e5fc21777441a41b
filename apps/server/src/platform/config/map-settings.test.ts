import { expect, test } from 'vitest';
import { tileOrigins } from './choose-map.ts';
import { readConfig } from './read-config.ts';

const read = (env: Record<string, string> = {}) =>
  readConfig({ argv: [], env, workingDir: '/srv' });

const tiles = 'https://tiles.example:8443/{z}/{x}/{y}.png?style=plain';

test('without tiles, the offline map has borders, except for mainland China', () => {
  expect(read().map).toEqual({ borders: true, tiles: null });
  expect(read({ DEVICEPORTAL_REGION: 'cn-north-1' }).map.borders).toBe(false);
  expect(
    read({ DEVICEPORTAL_REGION: 'cn-north-1', DEVICEPORTAL_MAP_BORDERS: 'on' }).map.borders,
  ).toBe(true);
  expect(read({ DEVICEPORTAL_MAP_BORDERS: 'off' }).map.borders).toBe(false);
});

test('tiles add exactly one origin', () => {
  const { map } = read({
    DEVICEPORTAL_MAP_TILES_URL: tiles,
    DEVICEPORTAL_MAP_TILES_ATTRIBUTION: '© Makers',
    DEVICEPORTAL_MAP_TILES_DATUM: 'gcj02',
  });
  expect(map.tiles).toEqual({ url: tiles, maxZoom: 19, attribution: '© Makers', datum: 'gcj02' });
  expect(tileOrigins(map)).toEqual(['https://tiles.example:8443']);
  expect(tileOrigins(read().map)).toEqual([]);
});

test.each([
  'https://tiles.example/{z}/{x}.png',
  '/tiles/{z}/{x}/{y}.png',
  'ftp://tiles.example/{z}/{x}/{y}.png',
  "https://tiles.example/{z}/{x}/{y}.png; script-src 'unsafe-inline'",
  'https://someone@tiles.example/{z}/{x}/{y}.png',
  'https://{z}.tiles.example/{x}/{y}.png',
  'https://tiles.example/?z={z}&x={x}&y={y}',
])('%s is refused', (url) => {
  expect(() => read({ DEVICEPORTAL_MAP_TILES_URL: url })).toThrow(/DEVICEPORTAL_MAP_TILES_URL/);
});
