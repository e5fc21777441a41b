import { Popup } from 'maplibre-gl';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { GROUPS } from './cluster-style.ts';
import { MOST_ZOOM, openFleetMap, type FleetMapControl } from './open-fleet-map.ts';
import type { MapPosition, MapWindow } from './map-position.ts';
import { PlacePopup } from './place-popup.tsx';
import type { PlaceGroup } from './place-groups.ts';
import { useDark } from './use-dark.ts';

export interface FleetCanvasProps {
  readonly label: string;
  readonly groups: readonly PlaceGroup[];
  /** Where the map begins, and goes when somebody else moves it; undefined: where the first groups are. */
  readonly position: MapPosition | undefined;
  readonly onMove: (position: MapPosition, window: MapWindow) => void;
  readonly listHref: (group: PlaceGroup) => string;
  /** No WebGL, or the map could not start. */
  readonly onFailed: () => void;
}

interface OpenPopup {
  readonly group: PlaceGroup;
  readonly element: HTMLElement;
}

/** The drawn map of the fleet. A chunk of its own, loaded with the map page's first view. */
export function FleetCanvas(props: FleetCanvasProps): ReactNode {
  const { label, groups, listHref } = props;
  const element = useRef<HTMLElement>(null);
  const [popup, setPopup] = useState<OpenPopup | null>(null);
  const control = useFleetMap(element, props, setPopup);
  const dark = useDark();
  useEffect(() => control.current?.setDark(dark), [control, dark]);
  useEffect(() => {
    const { current } = control;
    if (current === null) return;
    if (current.map.isStyleLoaded()) current.show(groups);
    else void current.map.once('load', () => current.show(groups));
  }, [control, groups]);
  useFirstView(control, props);
  const shown =
    popup === null ? undefined : (groups.find(({ id }) => id === popup.group.id) ?? popup.group);
  return (
    <>
      <section ref={element} className="dp-map dp-fleet-map" aria-label={label} />
      {popup === null || shown === undefined
        ? null
        : createPortal(<PlacePopup group={shown} listHref={listHref(shown)} />, popup.element)}
    </>
  );
}

/** Opens the map once; what it is told later reaches it by its control. */
function useFleetMap(
  element: React.RefObject<HTMLElement | null>,
  props: FleetCanvasProps,
  setPopup: (popup: OpenPopup | null) => void,
): React.RefObject<FleetMapControl | null> {
  const control = useRef<FleetMapControl | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (element.current === null) return undefined;
    try {
      control.current = openFleetMap(element.current, {
        dark: document.body.classList.contains('awsui-dark-mode'),
        position: latest.current.position,
      });
    } catch {
      // "WebGL2 is required": the table says the same.
      latest.current.onFailed();
      return undefined;
    }
    const { map, position, window } = control.current;
    const tell = (): void => latest.current.onMove(position(), window());
    map.on('load', tell);
    map.on('moveend', tell);
    map.on('mouseenter', GROUPS, () => void (map.getCanvas().style.cursor = 'pointer'));
    map.on('mouseleave', GROUPS, () => void (map.getCanvas().style.cursor = ''));
    map.on('click', GROUPS, (event) => {
      const id: unknown = event.features?.[0]?.properties['id'];
      const group = latest.current.groups.find((each) => each.id === id);
      if (group !== undefined) choose(map, group, setPopup);
    });
    return () => {
      map.remove();
      control.current = null;
    };
    // The map lives as long as its element.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return control;
}

/** A cell is zoomed into; devices that are known one by one are named. */
function choose(
  map: FleetMapControl['map'],
  group: PlaceGroup,
  setPopup: (popup: OpenPopup | null) => void,
): void {
  const at: [number, number] = [group.longitude, group.latitude];
  if (group.devices.length === 0 && map.getZoom() < MOST_ZOOM - 1) {
    map.easeTo({ center: at, zoom: Math.min(MOST_ZOOM, map.getZoom() + 2) });
    return;
  }
  const content = document.createElement('div');
  const popup = new Popup({ maxWidth: '320px', offset: 14, className: 'dp-map-popup' });
  popup.setLngLat(at).setDOMContent(content);
  popup.on('close', () => setPopup(null));
  popup.addTo(map);
  setPopup({ group, element: content });
}

const WIDEST_FIRST_ZOOM = 5;

/** Without a place in the address the first answer says where to look. */
function useFirstView(
  control: React.RefObject<FleetMapControl | null>,
  { groups, position }: FleetCanvasProps,
): void {
  const isPlaced = useRef(position !== undefined);
  useEffect(() => {
    if (isPlaced.current || groups.length === 0) return;
    isPlaced.current = true;
    const longitudes = groups.map(({ longitude }) => longitude);
    const latitudes = groups.map(({ latitude }) => latitude);
    control.current?.map.fitBounds(
      [
        [Math.min(...longitudes), Math.min(...latitudes)],
        [Math.max(...longitudes), Math.max(...latitudes)],
      ],
      { padding: 48, maxZoom: WIDEST_FIRST_ZOOM, animate: false },
    );
  }, [control, groups, position]);
}
