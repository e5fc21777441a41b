import { useQuery } from '@tanstack/react-query';
import type { FolderSort } from '@deviceportal/contract/device-files';
import { useApi } from '../api/use-api.ts';

export interface FolderOrder {
  readonly sort: FolderSort;
  readonly isDescending: boolean;
}

/**
 * A page of a folder on a device. Each request is in the audit trail, so a page is read when it is
 * opened or refreshed, and not in the background.
 */
export function useFolder(asked: {
  readonly deviceId: string;
  readonly reason: string;
  readonly path: string;
  readonly order: FolderOrder;
  readonly offset: number;
}) {
  const api = useApi();
  const { order, ...input } = asked;
  return useQuery(
    api.deviceFiles.list.queryOptions(
      { ...input, ...order },
      {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
    ),
  );
}
