import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useIsLive } from '../../live/use-watch.ts';
import { useTablePageSize } from '../../shell/table/data-table.tsx';
import { useKeysetPages } from '../../shell/table/use-keyset-pages.ts';
import { decodeDeviceFilter, decodeSort, type DeviceFilterSearch } from './device-filter.ts';
import { useLiveRows } from './use-live-rows.ts';

export const DEVICES_TABLE = 'devices';
/** How often the list asks by itself while the live channel is away. */
const POLL_INTERVAL_MS = 30_000;

/** What the address asks for: its filter, its rows kept true, and their number. */
export function useDeviceList(search: DeviceFilterSearch & { readonly sort: string }) {
  const api = useApi();
  const isLive = useIsLive();
  const pageSize = useTablePageSize(DEVICES_TABLE);
  const { q, op, targets, sort } = search;
  const decoded = useMemo(() => decodeDeviceFilter({ q, op, targets }), [q, op, targets]);
  const sorting = useMemo(() => decodeSort(sort), [sort]);
  const { filter, dropped } = decoded;
  const pages = useKeysetPages(JSON.stringify([filter, sorting, pageSize]));
  const options = api.devices.list.queryOptions(
    { filter, ...sorting, pageSize, cursor: pages.cursor },
    { placeholderData: keepPreviousData, refetchInterval: isLive ? false : POLL_INTERVAL_MS },
  );
  const query = useQuery(options);
  const rows = useLiveRows(options.queryKey, query.data?.rows);
  // The batch answers when its slowest call does: rows must not wait for a number.
  const count = useQuery(
    api.devices.count.queryOptions(
      { filter },
      { enabled: query.isSuccess && !query.isPlaceholderData, placeholderData: keepPreviousData },
    ),
  );
  return {
    filter,
    dropped,
    tokens: decoded.query,
    sorting,
    pages,
    query,
    queryKey: options.queryKey,
    rows,
    count: count.data,
  };
}

export type DeviceList = ReturnType<typeof useDeviceList>;
