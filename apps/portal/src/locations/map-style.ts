import type { FeatureCollection } from 'geojson';
import type { StyleSpecification } from 'maplibre-gl';
import { basemapParts, type BasemapOptions } from './basemap.ts';

export interface MapPalette {
  readonly isDark: boolean;
  readonly sea: string;
  readonly land: string;
  readonly coast: string;
  /** Land of supported countries. */
  readonly supported: string;
  readonly border: string;
  readonly name: string;
  readonly hatch: string;
  readonly online: string;
  readonly away: string;
  readonly outline: string;
  readonly text: string;
  readonly track: string;
}

export const lightPalette: MapPalette = {
  isDark: false,
  sea: '#eef3f8',
  land: '#d5dde6',
  coast: '#aab7c6',
  supported: '#cfe6d6',
  border: '#8896a8',
  name: '#414d5c',
  hatch: '#c25b5b',
  online: '#00802f',
  away: '#656871',
  outline: '#ffffff',
  text: '#ffffff',
  track: '#006ce0',
};

export const darkPalette: MapPalette = {
  isDark: true,
  sea: '#0f1b2a',
  land: '#2b3a4d',
  coast: '#495b72',
  supported: '#24503f',
  border: '#62758f',
  name: '#c6c6cd',
  hatch: '#d0736f',
  online: '#2bb534',
  away: '#a4a4ad',
  outline: '#0f141a',
  text: '#0f141a',
  track: '#75cfff',
};

export const CONTENT = 'content';

export const emptyContent: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** What is to be shown, on a basemap. */
export function mapStyle(
  basemap: BasemapOptions,
  content: FeatureCollection,
  palette: MapPalette,
): StyleSpecification {
  const only = (kind: string): ['==', ['get', string], string] => ['==', ['get', 'kind'], kind];
  const colour = ['case', ['>=', ['get', 'onlineShare'], 0.5], palette.online, palette.away];
  const base = basemapParts(basemap, palette);
  return {
    version: 8,
    sources: {
      ...base.sources,
      [CONTENT]: { type: 'geojson', data: content },
    },
    layers: [
      ...base.layers,
      {
        id: 'accuracy',
        type: 'fill',
        source: CONTENT,
        filter: only('accuracy'),
        paint: {
          'fill-color': palette.track,
          'fill-opacity': 0.18,
          'fill-outline-color': palette.track,
        },
      },
      {
        id: 'track',
        type: 'line',
        source: CONTENT,
        filter: only('track'),
        layout: { 'line-join': 'round', 'line-cap': 'round' },
        paint: { 'line-color': palette.track, 'line-width': 2, 'line-dasharray': [2, 1.5] },
      },
      {
        id: 'points',
        type: 'circle',
        source: CONTENT,
        filter: only('point'),
        paint: {
          'circle-radius': [
            'interpolate',
            ['linear'],
            ['log10', ['get', 'count']],
            0,
            7,
            2,
            18,
            5,
            36,
          ],
          'circle-color': colour as unknown as string,
          'circle-stroke-color': palette.outline,
          'circle-stroke-width': 2,
          'circle-opacity': 0.9,
        },
      },
      {
        id: 'numbers',
        type: 'symbol',
        source: CONTENT,
        filter: only('point'),
        layout: { 'text-field': ['get', 'text'], 'text-size': 12, 'text-allow-overlap': true },
        paint: { 'text-color': palette.text },
      },
    ],
  };
}
