import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useApi } from '../../api/use-api.ts';
import { useWatch } from '../../live/use-watch.ts';
import { refreshIntervalMs } from '../results/invocation-progress.ts';

/** A run on many devices, polled until it is final. The live channel updates its counts earlier. */
export function useRun(id: string): UseQueryResult<RunDetail, unknown> {
  const api = useApi();
  const queryClient = useQueryClient();
  const [shownAtMs] = useState(() => Date.now());
  const options = api.commands.getRun.queryOptions({ id });
  const query = useQuery({
    ...options,
    staleTime: 0,
    refetchInterval: ({ state }) => refreshIntervalMs(state.data?.state, Date.now() - shownAtMs),
  });
  useWatch({ kind: 'run', id }, (change) => {
    if (change.kind !== 'run') return;
    const { state, statusDetails, counters } = change;
    queryClient.setQueryData(options.queryKey, (old) =>
      old === undefined ? old : { ...old, state, statusDetails, counters },
    );
    // Times and the permission to cancel are only in the full response.
    if (query.data !== undefined && query.data.state !== state) void query.refetch();
  });
  return query;
}
