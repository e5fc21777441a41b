import { Map as MapLibre, NavigationControl, setWorkerUrl, type GeoJSONSource } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import fineLandUrl from 'virtual:basemap/land-fine.json?url';
import landUrl from 'virtual:basemap/land.json?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { darkClusters, drawClusterImage, lightClusters } from './cluster-image.ts';
import { GROUPS, groupFeatures, groupLayer } from './cluster-style.ts';
import { darkPalette, emptyContent, lightPalette, mapStyle } from './map-style.ts';
import { toWindow, type MapPosition, type MapWindow } from './map-position.ts';
import type { PlaceGroup } from './place-groups.ts';

// The library would look for its worker beside its own file, where the bundle has none.
setWorkerUrl(workerUrl);

/** Beyond it a map without streets shows nothing but a colour. */
export const MOST_ZOOM = 15;

/** From here on a coarse coast would put towns into the sea. */
const FINE_COAST_ZOOM = 3.5;

export interface FleetMapControl {
  readonly map: MapLibre;
  readonly show: (groups: readonly PlaceGroup[]) => void;
  readonly setDark: (dark: boolean) => void;
  readonly position: () => MapPosition;
  readonly window: () => MapWindow;
}

/** @throws where there is no WebGL */
export function openFleetMap(
  container: HTMLElement,
  options: { readonly dark: boolean; readonly position: MapPosition | undefined },
): FleetMapControl {
  const { position } = options;
  let dark = options.dark;
  let shown: readonly PlaceGroup[] = [];
  let drawnLand = landUrl;
  const map = new MapLibre({
    container,
    style: styleOf(dark, shown),
    attributionControl: false,
    center: position === undefined ? [15, 25] : [position.longitude, position.latitude],
    zoom: position?.zoom ?? 1,
    maxZoom: MOST_ZOOM,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: true,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.setMissingStyleImageResolver((id) => {
    const ratio = Math.min(2, window.devicePixelRatio);
    const image = drawClusterImage(id, dark ? darkClusters : lightClusters, ratio);
    if (image !== undefined && !map.hasImage(id)) map.addImage(id, image, { pixelRatio: ratio });
  });
  const drawCoast = (): void => {
    const land = map.getZoom() >= FINE_COAST_ZOOM ? fineLandUrl : landUrl;
    if (land === drawnLand) return;
    drawnLand = land;
    void map.getSource<GeoJSONSource>('land')?.setData(land);
  };
  map.on('zoomend', drawCoast);
  map.on('style.load', () => {
    drawnLand = landUrl;
    drawCoast();
  });
  return {
    map,
    show: (groups) => {
      shown = groups;
      map.getSource<GeoJSONSource>(GROUPS)?.setData(groupFeatures(groups));
    },
    setDark: (next) => {
      if (next === dark) return;
      dark = next;
      map.setStyle(styleOf(dark, shown), { diff: false });
    },
    position: () => {
      const { lat, lng } = map.getCenter();
      return { latitude: lat, longitude: lng, zoom: map.getZoom() };
    },
    window: () => {
      const bounds = map.getBounds();
      return toWindow({
        west: bounds.getWest(),
        south: bounds.getSouth(),
        east: bounds.getEast(),
        north: bounds.getNorth(),
        zoom: map.getZoom(),
      });
    },
  };
}

function styleOf(dark: boolean, groups: readonly PlaceGroup[]): ReturnType<typeof mapStyle> {
  const palette = dark ? darkPalette : lightPalette;
  const base = mapStyle(landUrl, emptyContent, palette);
  return {
    ...base,
    sources: {
      ...base.sources,
      [GROUPS]: { type: 'geojson', data: groupFeatures(groups) },
    },
    layers: [
      ...base.layers,
      groupLayer(dark ? darkClusters : lightClusters, dark ? '#ebebf0' : '#0f141a'),
    ],
  };
}
