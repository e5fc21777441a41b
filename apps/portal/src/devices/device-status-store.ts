import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { DeviceRow } from '@deviceportal/contract/devices';
import type { DeviceStatusFacts } from './patch-device-rows.ts';

/** By device id. */
const useStatuses = create<Readonly<Record<string, DeviceStatusFacts>>>(() => ({}));

/**
 * Lets each status cell follow its own device: a table draws itself as a whole, so a change of one status would
 * otherwise cost all its rows.
 */
export function useShownStatuses(rows: readonly DeviceRow[] | undefined): void {
  useLayoutEffect(() => {
    useStatuses.setState(Object.fromEntries((rows ?? []).map((row) => [row.id, row])));
  }, [rows]);
  useLayoutEffect(() => () => useStatuses.setState({}, true), []);
}

/** The newest status of a device that some list shows, else the one given. */
export function useDeviceStatus(device: DeviceRow): DeviceStatusFacts {
  return useStatuses((statuses) => statuses[device.id]) ?? device;
}
