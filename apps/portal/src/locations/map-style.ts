import type { FeatureCollection } from 'geojson';
import type { StyleSpecification } from 'maplibre-gl';
import { basemapParts, type BasemapOptions } from './basemap.ts';
import type { MapPalette } from './map-palette.ts';

export const CONTENT = 'content';

export const emptyContent: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** A style with the content on a basemap. */
export function mapStyle(
  basemap: BasemapOptions,
  content: FeatureCollection,
  palette: MapPalette,
): StyleSpecification {
  const only = (kind: string): ['==', ['get', string], string] => ['==', ['get', 'kind'], kind];
  const color = ['case', ['>=', ['get', 'onlineShare'], 0.5], palette.online, palette.away];
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
          'circle-color': color as unknown as string,
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
