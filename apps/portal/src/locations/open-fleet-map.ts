import type { Feature } from 'geojson';
import { Map as MapLibre, NavigationControl, setWorkerUrl, type GeoJSONSource } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { MapDatum } from '@deviceportal/contract/browser-config';
import type { MapArea } from '@deviceportal/contract/map-area';
import { OUTSIDE_COUNTRIES, outsideFilter, type BasemapOptions } from './basemap.ts';
import { darkClusters, drawClusterImage, lightClusters } from './cluster-image.ts';
import { GROUPS, groupFeatures, groupLayer } from './cluster-style.ts';
import { areaFromMap, areaToMap, fromMap, toMap, type Place } from './datum/map-datum.ts';
import { accuracyRing } from './map-shapes.ts';
import { CONTENT, emptyContent, mapStyle } from './map-style.ts';
import { darkPalette, lightPalette } from './map-palette.ts';
import { prepareMap } from './prepare-map.ts';
import { toWindow, type MapPosition, type MapWindow } from './map-position.ts';
import type { PlaceGroup } from './place-groups.ts';

// The library would look for its worker next to its own file, which the bundle does not contain.
setWorkerUrl(workerUrl);

/** Beyond this zoom, a map without streets shows only one color. */
export const MOST_ZOOM = 15;

export interface FleetMapControl {
  readonly map: MapLibre;
  readonly show: (groups: readonly PlaceGroup[]) => void;
  readonly setDark: (dark: boolean) => void;
  readonly setBasemap: (basemap: BasemapOptions) => void;
  /** Shows the accuracy of the locations of a group’s devices. Null hides it. */
  readonly showAccuracy: (group: PlaceGroup | null) => void;
  readonly goTo: (position: MapPosition) => void;
  /** Where the map draws a place. */
  readonly lngLatOf: (place: Place) => [number, number];
  readonly position: () => MapPosition;
  readonly window: () => MapWindow;
}

export interface FleetMapOptions {
  readonly dark: boolean;
  readonly basemap: BasemapOptions;
  readonly position: MapPosition | undefined;
  /** Shown in full, instead of a position. */
  readonly area: MapArea | undefined;
  readonly locale: Record<string, string>;
  readonly onTiles: (fail: boolean) => void;
}

/** @throws Error without WebGL. */
export function openFleetMap(container: HTMLElement, options: FleetMapOptions): FleetMapControl {
  const { position, area } = options;
  let { dark, basemap } = options;
  let shown: readonly PlaceGroup[] = [];
  const datum = (): MapDatum | undefined => basemap.tiles?.datum;
  const lngLatOf = (place: Place): [number, number] => {
    const { longitude, latitude } = toMap(place, datum());
    return [longitude, latitude];
  };
  const draw = (): void => {
    map.setStyle(styleOf({ dark, basemap }, shown), { diff: false });
  };
  const map = new MapLibre({
    container,
    style: styleOf({ dark, basemap }, shown),
    attributionControl: false,
    locale: options.locale,
    center: position === undefined ? [15, 25] : lngLatOf(position),
    zoom: position?.zoom ?? 1,
    ...(area !== undefined && { bounds: boundsOfArea(areaToMap(area, datum())) }),
    maxZoom: MOST_ZOOM,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: true,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  prepareMap(map, {
    drawImage: (id, pixelRatio) =>
      drawClusterImage(id, dark ? darkClusters : lightClusters, pixelRatio),
    hatchColor: () => (dark ? darkPalette : lightPalette).hatch,
    onTiles: options.onTiles,
  });
  const markCountries = (): void => {
    if (map.getLayer(OUTSIDE_COUNTRIES) !== undefined)
      map.setFilter(OUTSIDE_COUNTRIES, outsideFilter(countriesOutside(shown)));
  };
  const drawGroups = (): void => {
    void map.getSource<GeoJSONSource>(GROUPS)?.setData(groupFeatures(groupsOnMap(shown, basemap)));
    markCountries();
  };
  // Draws groups that were set before the style was loaded.
  map.on('style.load', drawGroups);
  return {
    map,
    show: (groups) => {
      shown = groups;
      drawGroups();
    },
    setDark: (next) => {
      if (next === dark) return;
      dark = next;
      draw();
    },
    setBasemap: (next) => {
      if (next === basemap) return;
      basemap = next;
      draw();
    },
    showAccuracy: (group) =>
      void map.getSource<GeoJSONSource>(CONTENT)?.setData({
        type: 'FeatureCollection',
        features: group === null ? [] : accuracyFeatures(toMap(group, datum())),
      }),
    lngLatOf,
    goTo: (to) => {
      map.jumpTo({ center: lngLatOf(to), zoom: to.zoom });
    },
    position: () => positionOf(map, datum()),
    window: () => windowOf(map, datum()),
  };
}

function positionOf(map: MapLibre, datum: MapDatum | undefined): MapPosition {
  const { lat, lng } = map.getCenter();
  return fromMap({ latitude: lat, longitude: lng, zoom: map.getZoom() }, datum);
}

function windowOf(map: MapLibre, datum: MapDatum | undefined): MapWindow {
  const bounds = map.getBounds();
  const area = {
    west: bounds.getWest(),
    south: bounds.getSouth(),
    east: bounds.getEast(),
    north: bounds.getNorth(),
  };
  return toWindow({ ...areaFromMap(area, datum), zoom: map.getZoom() });
}

const groupsOnMap = (groups: readonly PlaceGroup[], { tiles }: BasemapOptions): PlaceGroup[] =>
  groups.map((group) => toMap(group, tiles?.datum));

function styleOf(
  { dark, basemap }: Pick<FleetMapOptions, 'dark' | 'basemap'>,
  groups: readonly PlaceGroup[],
): ReturnType<typeof mapStyle> {
  const base = mapStyle(basemap, emptyContent, dark ? darkPalette : lightPalette);
  return {
    ...base,
    sources: {
      ...base.sources,
      [GROUPS]: { type: 'geojson', data: groupFeatures(groupsOnMap(groups, basemap)) },
    },
    layers: [
      ...base.layers,
      groupLayer(dark ? darkClusters : lightClusters, dark ? '#ebebf0' : '#0f141a'),
    ],
  };
}

/**
 * Countries with devices outside the supported ones. A cell counts for the country of most of its
 * devices.
 */
function countriesOutside(groups: readonly PlaceGroup[]): string[] {
  const found = groups.flatMap(({ outside, country, devices, count }) => {
    if (outside === 0) return [];
    if (devices.length > 0) return devices.flatMap((one) => (one.outside ? one.country : null));
    return outside * 2 > count ? [country] : [];
  });
  return [...new Set(found)].filter((country) => country !== null);
}

/** Unique rings, because devices at one spot mostly have the same one. */
function accuracyFeatures({ devices, latitude, longitude }: PlaceGroup): Feature[] {
  const distances = new Set(devices.map(({ accuracyMeters }) => accuracyMeters));
  return [...distances].map((meters) => ({
    type: 'Feature',
    properties: { kind: 'accuracy' },
    geometry: { type: 'Polygon', coordinates: [accuracyRing({ latitude, longitude }, meters)] },
  }));
}

/** An area that crosses the antimeridian continues beyond 180 degrees. */
const boundsOfArea = ({ west, south, east, north }: MapArea): [number, number, number, number] => [
  west,
  south,
  east < west ? east + 360 : east,
  north,
];
