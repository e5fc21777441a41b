import { useCallback, useLayoutEffect, useSyncExternalStore } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import type { DeviceStatusFacts } from './patch-device-rows.ts';

const statuses = new Map<string, DeviceStatusFacts>();
const listeners = new Map<string, Set<() => void>>();

/**
 * Lets each status cell follow its own device: a table draws itself as a whole, so a change of one status would
 * otherwise cost all its rows.
 */
export function useShownStatuses(rows: readonly DeviceRow[] | undefined): void {
  useLayoutEffect(() => {
    for (const row of rows ?? []) show(row);
  }, [rows]);
  useLayoutEffect(() => () => statuses.clear(), []);
}

function show(row: DeviceRow): void {
  if (statuses.get(row.id) === row) return;
  statuses.set(row.id, row);
  for (const listener of listeners.get(row.id) ?? []) listener();
}

/** The newest status of a device that some list shows, else the one given. */
export function useDeviceStatus(device: DeviceRow): DeviceStatusFacts {
  const { id } = device;
  const subscribe = useCallback(
    (listener: () => void) => {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0) listeners.delete(id);
      };
    },
    [id],
  );
  return useSyncExternalStore(subscribe, () => statuses.get(id) ?? device);
}
