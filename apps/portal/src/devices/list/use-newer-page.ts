import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApiClient, type ApiInputs, type ApiOutputs } from '../../api/use-api.ts';
import { countMoves, refreshInPlace } from './page-changes.ts';
import { refreshMs } from '../../live/refresh-policy.ts';

type DevicePageData = ApiOutputs['devices']['list'];

/**
 * Polls the shown page in the background. Values are applied immediately, but the order is not, so
 * that rows do not move under the pointer. The new order is applied on request or when the page is
 * reloaded. Returns the number of rows that would move.
 */
export function useNewerPage(
  input: ApiInputs['devices']['list'],
  {
    queryKey,
    isFetching,
    isReady,
  }: { readonly queryKey: QueryKey; readonly isFetching: boolean; readonly isReady: boolean },
): number {
  const client = useApiClient();
  const queryClient = useQueryClient();
  const hash = JSON.stringify(queryKey);
  const isEmpty = queryClient.getQueryData<DevicePageData>(queryKey)?.rows.length === 0;
  const [held, setHeld] = useState<{
    readonly hash: string;
    readonly rows: DevicePageData['rows'];
  }>();
  if (isFetching && held !== undefined) setHeld(undefined);
  const look = async (): Promise<void> => {
    if (!isReady || document.hidden) return;
    const newer = await client.devices.list.query(input);
    const shown = queryClient.getQueryData<DevicePageData>(queryKey);
    if (shown === undefined || queryClient.isFetching({ queryKey, exact: true }) > 0) return;
    const moves = shown.rows.length === 0 ? 0 : countMoves(shown.rows, newer.rows);
    queryClient.setQueryData<DevicePageData>(
      queryKey,
      moves === 0 ? newer : { ...shown, rows: [...refreshInPlace(shown.rows, newer.rows)] },
    );
    setHeld(moves === 0 ? undefined : { hash, rows: newer.rows });
  };
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  useEffect(() => {
    // A failed poll is ignored. The layout reports if the server is unavailable.
    let isLooking = false;
    const start = (): void => {
      if (isLooking) return;
      isLooking = true;
      const end = (): void => void (isLooking = false);
      latest.current().then(end, end);
    };
    // An empty list polls more often, because a device may just have been added.
    const timer = setInterval(start, isEmpty ? refreshMs.soon : refreshMs.list);
    document.addEventListener('visibilitychange', start);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', start);
    };
  }, [isEmpty]);
  if (held?.hash !== hash) return 0;
  return countMoves(queryClient.getQueryData<DevicePageData>(queryKey)?.rows ?? [], held.rows);
}
