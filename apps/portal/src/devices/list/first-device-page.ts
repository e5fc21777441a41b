import type { QueryClient } from '@tanstack/react-query';
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../api/app-router.ts';
import { currentPreferences } from '../../ui/preferences-store.ts';
import { pageSizeOf } from '../../ui/table/page-size.ts';
import type { devicesSearch } from '../devices-search.ts';
import { decodeDeviceFilter, decodeSort } from './filter/device-filter.ts';
import { DEVICES_TABLE, deviceListInput } from './device-list-input.ts';
import { ALL_DEVICES, isBareAddress } from './views/saved-views.ts';

/**
 * Prefetches the rows of an address before the list renders, unless a saved view determines the
 * filter.
 */
export async function loadFirstDevicePage(
  api: TRPCOptionsProxy<AppRouter>,
  queryClient: QueryClient,
  search: ReturnType<typeof devicesSearch>,
): Promise<void> {
  const preferences = currentPreferences();
  const view = preferences.defaultViews?.['devices'] ?? ALL_DEVICES;
  if (view !== ALL_DEVICES && isBareAddress(search)) return;
  const input = deviceListInput({
    filter: decodeDeviceFilter(search).filter,
    sorting: decodeSort(search.sort),
    pageSize: pageSizeOf(preferences, DEVICES_TABLE),
    cursor: null,
  });
  await queryClient.prefetchQuery(api.devices.list.queryOptions(input));
}
