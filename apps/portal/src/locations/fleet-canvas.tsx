import { Popup } from 'maplibre-gl';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { MapArea } from '@deviceportal/contract/map-area';
import type { BasemapOptions } from './basemap.ts';
import { useT } from '../i18n/use-t.ts';
import { GROUPS } from './cluster-style.ts';
import { MOST_ZOOM, openFleetMap, type FleetMapControl } from './open-fleet-map.ts';
import { formatMapPosition, type MapPosition, type MapWindow } from './map-position.ts';
import { PlacePopup } from './place-popup.tsx';
import type { PlaceGroup } from './place-groups.ts';
import { mapLocale } from './map-locale.ts';
import { useDark } from './use-dark.ts';

export interface FleetCanvasProps {
  readonly label: string;
  readonly groups: readonly PlaceGroup[];
  /**
   * The position of the map, which follows changes of the address. Undefined to start at the first
   * groups.
   */
  readonly position: MapPosition | undefined;
  /** Shown in full at first, instead of a position. */
  readonly area: MapArea | undefined;
  readonly basemap: BasemapOptions;
  readonly onTiles: (fail: boolean) => void;
  /** @param isStep The user zoomed into a group, so the browser’s “Back” returns to this view. */
  readonly onMove: (position: MapPosition, window: MapWindow, isStep: boolean) => void;
  readonly listHref: (group: PlaceGroup) => string;
  /** WebGL is unavailable, or the map failed to start. */
  readonly onFailed: () => void;
}

interface OpenPopup {
  readonly group: PlaceGroup;
  readonly element: HTMLElement;
}

/** The interactive map of the fleet, in a separate chunk that is loaded with the first map. */
export function FleetCanvas(props: FleetCanvasProps): ReactNode {
  const { label, groups, listHref, basemap, position } = props;
  const element = useRef<HTMLElement>(null);
  const [popup, setPopup] = useState<OpenPopup | null>(null);
  const control = useFleetMap(element, props, setPopup);
  const dark = useDark();
  useEffect(() => control.current?.setDark(dark), [control, dark]);
  useEffect(() => control.current?.show(groups), [control, groups]);
  useEffect(() => control.current?.setBasemap(basemap), [control, basemap]);
  useFollowedPosition(control, position);
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

/** Opens the map once. Later changes are applied through its control. */
function useFleetMap(
  element: React.RefObject<HTMLElement | null>,
  props: FleetCanvasProps,
  setPopup: (popup: OpenPopup | null) => void,
): React.RefObject<FleetMapControl | null> {
  const control = useRef<FleetMapControl | null>(null);
  const latest = useRef(props);
  const locale = useRef(mapLocale(useT()));
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (element.current === null) return undefined;
    try {
      control.current = openFleetMap(element.current, {
        dark: document.body.classList.contains('awsui-dark-mode'),
        basemap: latest.current.basemap,
        position: latest.current.position,
        area: latest.current.area,
        locale: locale.current,
        onTiles: (fail) => latest.current.onTiles(fail),
      });
    } catch {
      // "WebGL2 is required": the table shows the same data.
      latest.current.onFailed();
      return undefined;
    }
    const { map, position, window } = control.current;
    let isStep = false;
    const tell = (): void => {
      latest.current.onMove(position(), window(), isStep);
      isStep = false;
    };
    map.on('load', tell);
    map.on('moveend', tell);
    map.on('mouseenter', GROUPS, () => void (map.getCanvas().style.cursor = 'pointer'));
    map.on('mouseleave', GROUPS, () => void (map.getCanvas().style.cursor = ''));
    map.on('click', GROUPS, (event) => {
      const id: unknown = event.features?.[0]?.properties['id'];
      const group = latest.current.groups.find((each) => each.id === id);
      if (group === undefined) return;
      if (isZoomedInto(map, group)) {
        isStep = true;
        zoomInto(control.current, group);
      } else openPopup(control.current, group, setPopup);
    });
    return () => {
      map.remove();
      control.current = null;
    };
    // The map exists as long as its element.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return control;
}

/** Zooms into a cell, and names the devices of a group that lists them. */
const isZoomedInto = (map: FleetMapControl['map'], group: PlaceGroup): boolean =>
  group.devices.length === 0 && map.getZoom() < MOST_ZOOM - 1;

function zoomInto(control: FleetMapControl | null, group: PlaceGroup): void {
  if (control === null) return;
  const { map, lngLatOf } = control;
  map.easeTo({ center: lngLatOf(group), zoom: Math.min(MOST_ZOOM, map.getZoom() + 2) });
}

function openPopup(
  control: FleetMapControl | null,
  group: PlaceGroup,
  setPopup: (popup: OpenPopup | null) => void,
): void {
  if (control === null) return;
  const content = document.createElement('div');
  const popup = new Popup({ maxWidth: '320px', offset: 14, className: 'dp-map-popup' });
  popup.setLngLat(control.lngLatOf(group)).setDOMContent(content);
  popup.on('close', () => {
    control.showAccuracy(null);
    setPopup(null);
  });
  popup.addTo(control.map);
  control.showAccuracy(group);
  setPopup({ group, element: content });
}

/** Moves the map when the address changes, for example by “Back” or a link. */
function useFollowedPosition(
  control: React.RefObject<FleetMapControl | null>,
  position: MapPosition | undefined,
): void {
  useEffect(() => {
    const { current } = control;
    if (current === null || position === undefined) return;
    if (formatMapPosition(position) !== formatMapPosition(current.position()))
      current.goTo(position);
  }, [control, position]);
}

const WIDEST_FIRST_ZOOM = 5;

/** Without a position in the address, the first response determines the view. */
function useFirstView(
  control: React.RefObject<FleetMapControl | null>,
  { groups, position, area }: FleetCanvasProps,
): void {
  const isPlaced = useRef(position !== undefined || area !== undefined);
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
