import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeviceFilterInput } from '@deviceportal/contract/devices';
import { useApi } from '../api/use-api.ts';
import type { MapWindow } from './map-position.ts';
import { groupsOf, type PlaceGroup } from './place-groups.ts';
import { refreshMs } from '../live/refresh-policy.ts';

const nothing: readonly PlaceGroup[] = [];

/**
 * The locations in view, refreshed while shown. If counting takes long, an estimate comes first.
 */
export function useMapPlaces(filter: DeviceFilterInput, window: MapWindow) {
  const api = useApi();
  const query = useQuery(
    api.locations.cells.queryOptions(
      { ...window, filter },
      {
        refetchInterval: ({ state }) => (state.data?.approximate ? false : refreshMs.computed),
        placeholderData: keepPreviousData,
      },
    ),
  );
  const isReckoned = query.data?.approximate === true && !query.isPlaceholderData;
  const counted = useQuery(
    api.locations.cells.queryOptions(
      { ...window, filter, exact: true },
      { enabled: isReckoned, refetchInterval: refreshMs.computed },
    ),
  );
  const data = isReckoned ? (counted.data ?? query.data) : query.data;
  const groups = useMemo(() => (data === undefined ? nothing : groupsOf(data)), [data]);
  return { query, data, groups };
}
