import type { FeatureCollection } from 'geojson';
import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { MapDatum } from '@deviceportal/contract/browser-config';
import { countryPlaces } from '@deviceportal/contract/country-places';
import bordersFineUrl from 'virtual:basemap/borders-fine.json?url';
import bordersUrl from 'virtual:basemap/borders.json?url';
import countriesFineUrl from 'virtual:basemap/countries-fine.json?url';
import countriesUrl from 'virtual:basemap/countries.json?url';
import fineLandUrl from 'virtual:basemap/land-fine.json?url';
import landUrl from 'virtual:basemap/land.json?url';
import type { MapPalette } from './map-palette.ts';

/** The layers below the devices, by the settings of the installation and the viewer. */
export interface BasemapOptions {
  /** Draws borders and names of countries. Without them, only land is drawn. */
  readonly borders: boolean;
  /** ISO 3166-1 alpha-2 codes. Without any, countries are not distinguished. */
  readonly supportedCountries: readonly string[];
  readonly nameOf: (country: string) => string;
  /** The operator’s tiles, above the land and below the devices. */
  readonly tiles: TilesOptions | null;
}

export interface TilesOptions {
  /** With `{z}`, `{x}`, and `{y}`. */
  readonly url: string;
  readonly maxZoom: number;
  /** Text that is shown next to the map. */
  readonly attribution: string;
  /** Devices are drawn in the coordinate system of the tiles. */
  readonly datum: MapDatum;
}

export interface BasemapParts {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  readonly layers: readonly LayerSpecification[];
}

export const TILES = 'tiles';
/** Countries with devices outside the supported countries. */
export const OUTSIDE_COUNTRIES = 'outside-countries';
export const HATCH_IMAGE = 'hatch';

/** Shapes in two resolutions, for low and high zoom levels. */
export const shapes: Readonly<Record<string, { readonly coarse: string; readonly fine: string }>> =
  {
    land: { coarse: landUrl, fine: fineLandUrl },
    countries: { coarse: countriesUrl, fine: countriesFineUrl },
    borders: { coarse: bordersUrl, fine: bordersFineUrl },
  };

/**
 * Land, and with `borders` the borders and names of countries (Natural Earth), or the operator’s
 * tiles. Labels use local fonts: without `glyphs`, nothing is downloaded.
 */
export function basemapParts(options: BasemapOptions, palette: MapPalette): BasemapParts {
  const { borders, tiles } = options;
  const drawn = ['land', ...(borders ? ['countries', 'borders'] : [])];
  return {
    sources: {
      ...Object.fromEntries(
        drawn.map((name) => [name, { type: 'geojson', data: shapes[name]?.coarse ?? '' }] as const),
      ),
      ...(borders && { names: { type: 'geojson', data: nameFeatures(options.nameOf) } }),
      ...(tiles && {
        [TILES]: { type: 'raster', tiles: [tiles.url], tileSize: 256, maxzoom: tiles.maxZoom },
      }),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': palette.sea } },
      {
        id: 'land',
        type: 'fill',
        source: 'land',
        paint: { 'fill-color': palette.land, 'fill-outline-color': palette.coast },
      },
      ...(tiles ? [tilesLayer(palette)] : []),
      ...(borders ? countryLayers(options, palette) : []),
    ],
  };
}

const tilesLayer = (palette: MapPalette): LayerSpecification => ({
  id: TILES,
  type: 'raster',
  source: TILES,
  // Dimmed in dark mode, because tiles are drawn for a light page.
  paint: palette.isDark ? { 'raster-brightness-max': 0.65, 'raster-saturation': -0.3 } : {},
});

function countryLayers(
  { supportedCountries, tiles }: BasemapOptions,
  palette: MapPalette,
): LayerSpecification[] {
  const supported: LayerSpecification = {
    id: 'supported',
    type: 'fill',
    source: 'countries',
    filter: ['in', ['get', 'code'], ['literal', [...supportedCountries]]],
    paint: { 'fill-color': palette.supported, 'fill-opacity': tiles ? 0.15 : 1 },
  };
  const outside: LayerSpecification = {
    id: OUTSIDE_COUNTRIES,
    type: 'fill',
    source: 'countries',
    filter: outsideFilter([]),
    paint: { 'fill-pattern': HATCH_IMAGE },
  };
  const lines: LayerSpecification[] = [
    {
      id: 'borders',
      type: 'line',
      source: 'borders',
      paint: {
        'line-color': palette.border,
        'line-width': ['interpolate', ['linear'], ['zoom'], 0, 0.5, 6, 1.5],
      },
    },
    nameLayer(palette),
  ];
  return [supported, outside, ...(tiles ? [] : lines)];
}

/** The countries that the layer for outside countries shows. */
export const outsideFilter = (
  countries: readonly string[],
): ['in', ['get', string], ['literal', string[]]] => [
  'in',
  ['get', 'code'],
  ['literal', [...countries]],
];

const nameLayer = (palette: MapPalette): LayerSpecification => ({
  id: 'names',
  type: 'symbol',
  source: 'names',
  minzoom: 1.6,
  maxzoom: 9,
  // Shows large countries at low zoom levels, and smaller ones at higher levels.
  filter: ['>=', ['get', 'reach'], ['step', ['zoom'], 1_500, 2.6, 700, 3.6, 350, 4.6, 120, 5.6, 0]],
  layout: {
    'text-field': ['get', 'name'],
    'text-size': ['interpolate', ['linear'], ['zoom'], 1.6, 10, 6, 14],
    'text-max-width': 7,
    'text-padding': 4,
    'symbol-sort-key': ['-', 0, ['get', 'reach']],
  },
  paint: {
    'text-color': palette.name,
    'text-halo-color': palette.land,
    'text-halo-width': 1.2,
  },
});

function nameFeatures(nameOf: BasemapOptions['nameOf']): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: Object.entries(countryPlaces).map(([code, [latitude, longitude, reach]]) => ({
      type: 'Feature',
      properties: { name: nameOf(code), reach },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  };
}
