import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useApiClient, type ApiOutputs } from '../../api/use-api.ts';
import { useWatch } from '../../live/use-watch.ts';
import { useShownStatuses } from '../device-status-store.ts';
import { patchDevicePage, patchDeviceStatus, sameApartFromStatus } from '../patch-device-rows.ts';

type DevicePageData = ApiOutputs['devices']['list'];

/**
 * Applies live changes to the cached page, without reloading it. The returned array is stable while
 * only statuses change, which the cells subscribe to.
 */
export function useLiveRows(
  queryKey: QueryKey,
  rows: readonly DeviceRow[] | undefined,
): readonly DeviceRow[] | undefined {
  const queryClient = useQueryClient();
  const client = useApiClient();
  const [stable, setStable] = useState(rows);
  const isSame =
    rows === stable ||
    (rows !== undefined && stable !== undefined && sameApartFromStatus(stable, rows));
  // Set during rendering, so that the old rows are never painted.
  if (!isSame) setStable(rows);
  useShownStatuses(rows);
  const watch = useMemo(
    () =>
      stable === undefined || stable.length === 0
        ? null
        : { kind: 'devices' as const, ids: stable.map(({ id }) => id).toSorted() },
    [stable],
  );
  const patch = (id: string, change: (row: DeviceRow) => DeviceRow): void => {
    queryClient.setQueryData<DevicePageData>(queryKey, (page) =>
      page === undefined ? undefined : patchDevicePage(page, id, change),
    );
  };
  useWatch(watch, (change) => {
    if (change.kind === 'device-status') {
      patch(change.id, (row) => patchDeviceStatus(row, change));
    }
    if (change.kind === 'device-changed') {
      // The device may no longer match the filter or be visible. The next page or refresh corrects
      // that.
      client.devices.getRows.query({ ids: [change.id] }).then(
        ([fresh]) => patch(change.id, (row) => fresh ?? row),
        () => undefined,
      );
    }
  });
  return stable;
}
