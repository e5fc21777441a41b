import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import {
  memo,
  startTransition,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { parseMapArea } from '@deviceportal/contract/map-area';
import type { SavedView } from '@deviceportal/contract/devices';
import { DeviceFilterBar } from '../devices/list/filter/device-filter-bar.tsx';
import { decodeDeviceFilter } from '../devices/list/filter/device-filter.ts';
import { searchOfView } from '../devices/list/views/saved-views.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { FleetMapView } from './fleet-map-view.tsx';
import { listHref } from './list-href.ts';
import { MapHeader } from './map-header.tsx';
import { MapLegend } from './map-legend.tsx';
import {
  formatMapPosition,
  parseMapPosition,
  windowOf,
  windowOfArea,
  worldWindow,
  type MapPosition,
  type MapWindow,
} from './map-position.ts';
import { PlacesTable } from './places-table.tsx';
import type { PlaceGroup } from './place-groups.ts';
import { summarizeGroups } from './summarize-groups.ts';
import { useMapPlaces } from './use-map-places.ts';

export const Route = createLazyRoute('/map')({ component: MapPage });

const route = getRouteApi('/map');
/** The assumed size until the map reports its view. */
const USUAL_SIZE = { widthPx: 1_200, heightPx: 600 };
/** Memoized, because a moving map changes the page’s address continuously. */
const FilterBar = memo(DeviceFilterBar);
const Places = memo(PlacesTable);
/** The zoom of the cells for the whole world if there is no map. */
const TABLE_ZOOM = 3;

function MapPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  useBreadcrumbs([{ text: t('locations.page.title'), href: '/map' }]);
  if (!may('locations:read'))
    return <NoAccess area={t('locations.page.title')} permission="locations:read" />;
  return <FleetOnMap />;
}

/** The map of the fleet. */
function FleetOnMap(): ReactNode {
  const { q, op, targets, view, map, bbox } = route.useSearch();
  const address = useMapAddress();
  const { query: tokens, filter } = useMemo(
    () => decodeDeviceFilter({ q, op, targets }),
    [q, op, targets],
  );
  const position = useMemo(() => parseMapPosition(map), [map]);
  const area = useMemo(() => parseMapArea(bbox), [bbox]);
  const [window, setWindow] = useState<MapWindow>(() => {
    if (area !== undefined) return windowOfArea(area, USUAL_SIZE);
    return position === undefined ? worldWindow : windowOf(position, USUAL_SIZE);
  });
  const [hasFailed, setFailed] = useState(false);
  const asked = hasFailed ? { ...worldWindow, zoom: TABLE_ZOOM } : window;
  const { query, data, groups } = useMapPlaces(filter, asked);
  const { refetch, isPending, error } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const hrefOf = useCallback(
    (group: Pick<PlaceGroup, 'area'>) => listHref(tokens, targets, group.area) ?? '/devices',
    [tokens, targets],
  );
  const { moveTo } = address;
  const onMove = useCallback(
    (at: MapPosition, shown: MapWindow, isStep: boolean) => {
      // Deferred, so that the next frame of a map that is being dragged is not delayed.
      startTransition(() => setWindow(shown));
      moveTo(formatMapPosition(at), isStep);
    },
    [moveTo],
  );
  const t = useT();
  const total = data === undefined || data.approximate ? undefined : data.total;
  const count = useMemo(
    () => (total === undefined ? undefined : { count: total, exact: true }),
    [total],
  );
  const search = useMemo(() => ({ q, op, sort: '', targets }), [q, op, targets]);
  const hasAnswer = data !== undefined;
  // The query object changes with each render, so only these fields are used.
  const state = useMemo(() => ({ isPending, error, refetch }), [isPending, error, refetch]);
  const listed = useDeferredValue(
    useMemo(() => ({ groups: hasAnswer ? groups : undefined, state }), [hasAnswer, groups, state]),
  );
  return (
    <SpaceBetween size="m">
      <MapHeader answer={data} groups={groups} listHref={listHref(tokens, targets, asked.bbox)} />
      <FilterBar
        query={tokens}
        count={count}
        search={search}
        viewId={view}
        onChange={address.filter}
        onView={address.openView}
        onSavedView={address.nameView}
      />
      {query.isError ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void refetch()} />
      ) : null}
      <FleetMapView
        hasFailed={hasFailed}
        label={t('locations.page.region', summarizeGroups(groups))}
        groups={groups}
        position={position}
        area={area}
        onMove={onMove}
        listHref={hrefOf}
        onFailed={() => setFailed(true)}
      />
      {hasFailed ? null : <MapLegend />}
      <Places groups={listed.groups} query={listed.state} listHref={hrefOf} />
    </SpaceBetween>
  );
}

/**
 * Changes the address of the map. Moves replace the history entry; zooming into a group adds one.
 */
function useMapAddress() {
  const navigate = route.useNavigate();
  return useMemo(() => {
    const change = (
      part: Partial<Record<'q' | 'targets' | 'view' | 'map' | 'bbox', string>> & {
        op?: 'and' | 'or';
      },
      isStep = false,
    ) =>
      void navigate({
        search: (old) => ({ ...old, ...part }),
        replace: !isStep,
        resetScroll: false,
      });
    return {
      moveTo: (map: string, isStep: boolean) => change({ map, bbox: '' }, isStep),
      filter: ({ tokens, operation }: FilterQuery) =>
        change({ q: encodeFilter({ tokens, operation }), op: operation }),
      nameView: (view: SavedView) => change({ view: view.id }),
      openView: (view: SavedView | null) => {
        if (view === null) return change({ q: '', op: 'and', targets: '', view: '' });
        const { q, op, targets } = searchOfView(view);
        return change({ q, op: op === 'or' ? 'or' : 'and', targets, view: view.id });
      },
    };
  }, [navigate]);
}
