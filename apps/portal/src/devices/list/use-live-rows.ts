import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useApiClient, type ApiOutputs } from '../../api/use-api.ts';
import { useWatch } from '../../live/use-watch.ts';
import { useShownStatuses } from '../device-status-store.ts';
import { patchDevicePage, patchDeviceStatus, sameApartFromStatus } from '../patch-device-rows.ts';

type DevicePageData = ApiOutputs['devices']['list'];

/**
 * Keeps the shown rows true without asking for them again: changes go into the cached page where the row stands.
 * Answers rows that stay the same array while only statuses change, which their own cells follow.
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
  // Set while rendering, so that no paint shows the old rows.
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
      // It may have left the filter or gone from one's reach; the next page or refresh will tell.
      client.devices.getRows.query({ ids: [change.id] }).then(
        ([fresh]) => patch(change.id, (row) => fresh ?? row),
        () => undefined,
      );
    }
  });
  return stable;
}
