import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useApiClient } from '../../api/use-api.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { usePreferences } from '../../ui/preferences-store.ts';
import {
  keepTrail,
  neighborsOf,
  trailOf,
  type DeviceTrail,
  type TrailStop,
} from '../device-trail.ts';

const route = getRouteApi('/devices/$id');

export type Direction = 'previous' | 'next';

/** Navigation through the list from which the device was opened, also across its pages. */
export function useNeighbors(deviceId: string) {
  const client = useApiClient();
  const navigate = route.useNavigate();
  const showError = useErrorFlash();
  const [isLoading, setIsLoading] = useState(false);
  const trail = trailOf(deviceId);
  const around = trail === undefined ? undefined : neighborsOf(trail, deviceId);
  const has = {
    previous: around?.previous !== undefined || (trail?.previousCursors.length ?? 0) > 0,
    next: around?.next !== undefined || typeof trail?.nextCursor === 'string',
  };
  const open = useCallback(
    // The tab is kept, so that the same tab can be viewed along the list.
    (stop: TrailStop) =>
      void navigate({ params: { id: stop.id }, search: (old) => ({ ...old, sel: '' }) }),
    [navigate],
  );
  const go = (direction: Direction): void => {
    const stop = around?.[direction];
    if (stop !== undefined) {
      open(stop);
      return;
    }
    if (trail === undefined || !has[direction] || isLoading) return;
    setIsLoading(true);
    readBeyond(trail, direction, client)
      .then((beyond) => {
        keepTrail(beyond);
        const found = neighborsOf(beyond, deviceId)[direction];
        if (found !== undefined) open(found);
      })
      .catch(showError)
      .finally(() => setIsLoading(false));
  };
  useNeighborKeys(go, trail !== undefined);
  return { trail, around, has, go, isLoading };
}

type Client = ReturnType<typeof useApiClient>;

/** The trail with the page before or after it. */
async function readBeyond(
  trail: DeviceTrail,
  direction: Direction,
  client: Client,
): Promise<DeviceTrail> {
  const cursor = direction === 'next' ? trail.nextCursor : (trail.previousCursors.at(-1) ?? null);
  const page = await client.devices.list.query({ ...trail.input, cursor });
  const known = new Set(trail.stops.map(({ id }) => id));
  // Devices move in a list sorted by last contact. Devices that were already visited are skipped.
  const stops = page.rows
    .filter(({ id }) => !known.has(id))
    .map(({ id, serialNumber, name }) => ({ id, label: serialNumber ?? name }));
  if (direction === 'next') {
    return { ...trail, nextCursor: page.nextCursor, stops: [...trail.stops, ...stops] };
  }
  return {
    ...trail,
    previousCursors: trail.previousCursors.slice(0, -1),
    rowsBefore: trail.rowsBefore === null ? null : Math.max(0, trail.rowsBefore - stops.length),
    stops: [...stops, ...trail.stops],
  };
}

/** The keys `j` and `k`, unless a table row has the focus, where they move between rows. */
function useNeighborKeys(go: (direction: Direction) => void, isOn: boolean): void {
  const { shortcuts = true } = usePreferences();
  useEffect(() => {
    if (!shortcuts || !isOn) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'j' && event.key !== 'k') return;
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return;
      // Runs before the portal’s shortcuts, where these keys move between table rows.
      event.preventDefault();
      go(event.key === 'j' ? 'next' : 'previous');
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [go, isOn, shortcuts]);
}

function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog, [role=dialog], [role=menu], [role=listbox], tbody tr, .ace_editor',
    ) !== null
  );
}
