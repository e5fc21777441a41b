import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/use-api.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useRefresh } from '../ui/page-slots.tsx';

/** The scheduled backups. They are not reported by the live channel. */
export function useBackups() {
  const api = useApi();
  const query = useQuery(
    api.backups.get.queryOptions(undefined, {
      refetchInterval: ({ state: { data } }) =>
        data?.runningSince || data?.requestedAt ? refreshMs.soon : refreshMs.work,
    }),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  return query;
}
