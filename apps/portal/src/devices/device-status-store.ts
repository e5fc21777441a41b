import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { DeviceRow } from '@deviceportal/contract/devices';
import type { DeviceStatusFacts } from './patch-device-rows.ts';

/** By device ID. */
const useStatuses = create<Readonly<Record<string, DeviceStatusFacts>>>(() => ({}));

/**
 * Lets each status cell subscribe to its own device. The table renders as a whole, so a status
 * change would otherwise render all rows.
 */
export function useShownStatuses(rows: readonly DeviceRow[] | undefined): void {
  useLayoutEffect(() => {
    useStatuses.setState(Object.fromEntries((rows ?? []).map((row) => [row.id, row])));
  }, [rows]);
  useLayoutEffect(() => () => useStatuses.setState({}, true), []);
}

/** The latest status of a device in any list on screen, or the given one. */
export function useDeviceStatus(device: DeviceRow): DeviceStatusFacts {
  return useStatuses((statuses) => statuses[device.id]) ?? device;
}
