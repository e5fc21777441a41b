import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/use-api.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useRefresh } from '../ui/page-slots.tsx';

/** All data sources. They are not reported by the live channel. */
export function useDataSources() {
  const api = useApi();
  const query = useQuery(
    api.dataSources.list.queryOptions(undefined, { refetchInterval: refreshMs.work }),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  return query;
}
