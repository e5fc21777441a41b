import { Map as MapLibre, NavigationControl, setWorkerUrl, type MapMouseEvent } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import landUrl from 'virtual:basemap/land.json?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { useEffect, useRef, type ReactNode } from 'react';
import { boundsOf, toFeatures, type MapContent } from './map-shapes.ts';
import { darkPalette, lightPalette, mapStyle } from './map-style.ts';
import { useDark } from './use-dark.ts';

// The library would look for its worker beside its own file, where the bundle has none.
setWorkerUrl(workerUrl);

export interface MapCanvasProps {
  readonly label: string;
  readonly content: MapContent;
  readonly heightPx: number;
  readonly onChoose?: ((pointId: string) => void) | undefined;
  /** No WebGL, or the map could not start: show something else. */
  readonly onFailed: () => void;
}

const MOST_ZOOM = 11;

/** The drawn map. A chunk of its own, loaded only when a map comes into view. */
export function MapCanvas(props: MapCanvasProps): ReactNode {
  const { label, content, heightPx, onFailed } = props;
  const dark = useDark();
  const element = useRef<HTMLElement>(null);
  const map = useRef<MapLibre | null>(null);
  const choose = useRef(props.onChoose);
  useEffect(() => {
    choose.current = props.onChoose;
  });
  useEffect(() => {
    if (element.current === null) return undefined;
    try {
      map.current = openMap(element.current, content, dark);
    } catch {
      // "WebGL2 is required": the table beside the map says the same.
      onFailed();
      return undefined;
    }
    map.current.on(
      'click',
      'points',
      (event: MapMouseEvent & { features?: { properties: unknown }[] }) => {
        const id = (event.features?.[0]?.properties as { id?: unknown } | undefined)?.id;
        if (typeof id === 'string') choose.current?.(id);
      },
    );
    return () => {
      map.current?.remove();
      map.current = null;
    };
    // The map lives as long as its element; later content and themes are set below.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const drawn = useRef({ content, dark });
  useEffect(() => {
    // The first content came with the map itself.
    if (drawn.current.content === content && drawn.current.dark === dark) return;
    drawn.current = { content, dark };
    map.current?.setStyle(
      mapStyle(landUrl, toFeatures(content), dark ? darkPalette : lightPalette),
    );
  }, [content, dark]);
  return (
    <section ref={element} className="dp-map" aria-label={label} style={{ height: heightPx }} />
  );
}

function openMap(container: HTMLElement, content: MapContent, dark: boolean): MapLibre {
  const map = new MapLibre({
    container,
    style: mapStyle(landUrl, toFeatures(content), dark ? darkPalette : lightPalette),
    attributionControl: false,
    center: [15, 25],
    zoom: 0.6,
    maxZoom: MOST_ZOOM,
    dragRotate: false,
    pitchWithRotate: false,
    // A page that scrolls must not be caught by a map under the pointer.
    cooperativeGestures: false,
    scrollZoom: false,
    renderWorldCopies: true,
  });
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  const bounds = boundsOf(content);
  if (bounds !== null) map.fitBounds(bounds, { padding: 32, maxZoom: 4, animate: false });
  return map;
}
