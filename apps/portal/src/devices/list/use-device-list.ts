import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useTablePageSize } from '../../ui/table/data-table.tsx';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { decodeDeviceFilter, decodeSort, type DeviceFilterSearch } from './filter/device-filter.ts';
import { DEVICES_TABLE, deviceListInput } from './device-list-input.ts';
import { useLiveRows } from './use-live-rows.ts';
import { useNewerPage } from './use-newer-page.ts';
import { refreshMs } from '../../live/refresh-policy.ts';

/** The filter of the address, its rows with live updates, and their number. */
export function useDeviceList(
  search: DeviceFilterSearch & { readonly sort: string },
  { isWaiting }: { readonly isWaiting: boolean },
) {
  const api = useApi();
  const pageSize = useTablePageSize(DEVICES_TABLE);
  const { q, op, targets, sort } = search;
  const decoded = useMemo(() => decodeDeviceFilter({ q, op, targets }), [q, op, targets]);
  const sorting = useMemo(() => decodeSort(sort), [sort]);
  const { filter, dropped } = decoded;
  const pages = useKeysetPages(JSON.stringify([filter, sorting, pageSize]));
  const input = deviceListInput({ filter, sorting, pageSize, cursor: pages.cursor });
  const options = api.devices.list.queryOptions(input, {
    placeholderData: keepPreviousData,
    enabled: !isWaiting,
    // Rows must not move when the user returns to the tab. New rows are offered instead.
    refetchOnWindowFocus: false,
  });
  const query = useQuery(options);
  const isReady = query.isSuccess && !query.isPlaceholderData;
  const moves = useNewerPage(input, {
    queryKey: options.queryKey,
    isFetching: query.isFetching,
    isReady,
  });
  const rows = useLiveRows(options.queryKey, query.data?.rows);
  // The rows are the count if the first page is also the last.
  const isWhole =
    isReady && pages.cursor === null && query.data.nextCursor === null && query.data.complete;
  // Not batched, because a batch responds only when its slowest call does, and counting is slow.
  const count = useQuery(
    api.devices.count.queryOptions(
      { filter },
      {
        enabled: isReady && !isWhole,
        placeholderData: keepPreviousData,
        refetchInterval: refreshMs.totals,
      },
    ),
  );
  const wholeCount = isWhole ? query.data.rows.length : undefined;
  return {
    input,
    filter,
    dropped,
    tokens: decoded.query,
    sorting,
    pages,
    query,
    queryKey: options.queryKey,
    rows,
    moves,
    count: useMemo(
      () => (wholeCount === undefined ? count.data : { count: wholeCount, exact: true }),
      [wholeCount, count.data],
    ),
  };
}

export type DeviceList = ReturnType<typeof useDeviceList>;
