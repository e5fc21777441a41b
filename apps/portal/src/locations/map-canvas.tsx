import {
  Map as MapLibre,
  NavigationControl,
  setWorkerUrl,
  type GeoJSONSource,
  type MapMouseEvent,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { useEffect, useRef, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { boundsOf, contentOnMap, toFeatures, type MapContent } from './map-shapes.ts';
import type { BasemapOptions } from './basemap.ts';
import { CONTENT, mapStyle } from './map-style.ts';
import { darkPalette, lightPalette } from './map-palette.ts';
import { prepareMap } from './prepare-map.ts';
import { mapLocale } from './map-locale.ts';
import { useDark } from './use-dark.ts';

// The library would look for its worker next to its own file, which the bundle does not contain.
setWorkerUrl(workerUrl);

export interface MapCanvasProps {
  readonly label: string;
  readonly content: MapContent;
  readonly basemap: BasemapOptions;
  readonly heightPx: number;
  readonly onChoose?: ((pointId: string) => void) | undefined;
  /** WebGL is unavailable, or the map failed to start. Show an alternative. */
  readonly onFailed: () => void;
  readonly onTiles: (fail: boolean) => void;
}

const MOST_ZOOM = 11;

/** An interactive map, in a separate chunk that is loaded when a map scrolls into view. */
export function MapCanvas(props: MapCanvasProps): ReactNode {
  const { label, content, basemap, heightPx, onFailed } = props;
  const dark = useDark();
  const element = useRef<HTMLElement>(null);
  const map = useRef<MapLibre | null>(null);
  const latest = useRef(props);
  const locale = useRef(mapLocale(useT()));
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (element.current === null) return undefined;
    try {
      map.current = openMap(element.current, props, { dark, locale: locale.current });
      prepareMap(map.current, {
        hatchColor: () => lightPalette.hatch,
        onTiles: (fail) => latest.current.onTiles(fail),
      });
    } catch {
      // "WebGL2 is required": the table next to the map shows the same data.
      onFailed();
      return undefined;
    }
    map.current.on(
      'click',
      'points',
      (event: MapMouseEvent & { features?: { properties: unknown }[] }) => {
        const id = (event.features?.[0]?.properties as { id?: unknown } | undefined)?.id;
        if (typeof id === 'string') latest.current.onChoose?.(id);
      },
    );
    return () => {
      map.current?.remove();
      map.current = null;
    };
    // The map exists as long as its element. Later content and themes are set below.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const drawn = useRef({ content, dark, basemap });
  useEffect(() => {
    // The first content is part of the initial style.
    const { current: before } = drawn;
    if (before.content === content && before.dark === dark && before.basemap === basemap) return;
    drawn.current = { content, dark, basemap };
    if (before.dark === dark && before.basemap === basemap)
      void map.current
        ?.getSource<GeoJSONSource>(CONTENT)
        ?.setData(featuresOf({ content, basemap }));
    else map.current?.setStyle(styleOf({ content, basemap }, dark), { diff: false });
  }, [content, dark, basemap]);
  return (
    <section ref={element} className="dp-map" aria-label={label} style={{ height: heightPx }} />
  );
}

type Drawn = Pick<MapCanvasProps, 'content' | 'basemap'>;

const onMap = ({ content, basemap }: Drawn): MapContent =>
  contentOnMap(content, basemap.tiles?.datum);

const featuresOf = (drawn: Drawn): ReturnType<typeof toFeatures> => toFeatures(onMap(drawn));

const styleOf = ({ content, basemap }: Drawn, dark: boolean): ReturnType<typeof mapStyle> =>
  mapStyle(basemap, featuresOf({ content, basemap }), dark ? darkPalette : lightPalette);

function openMap(
  container: HTMLElement,
  { content, basemap }: Drawn,
  { dark, locale }: { readonly dark: boolean; readonly locale: Record<string, string> },
): MapLibre {
  const map = new MapLibre({
    container,
    style: styleOf({ content, basemap }, dark),
    attributionControl: false,
    locale,
    center: [15, 25],
    zoom: 0.6,
    maxZoom: MOST_ZOOM,
    dragRotate: false,
    pitchWithRotate: false,
    // Scrolling the page must not zoom a map under the pointer.
    cooperativeGestures: false,
    scrollZoom: false,
    renderWorldCopies: true,
  });
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  const bounds = boundsOf(onMap({ content, basemap }));
  if (bounds !== null) map.fitBounds(bounds, { padding: 32, maxZoom: 4, animate: false });
  return map;
}
