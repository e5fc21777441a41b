import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { ActiveCase } from '@deviceportal/contract/cases';
import { useApi } from '../api/use-api.ts';
import { useWatch } from '../live/use-watch.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { onActiveCaseElsewhere, setActiveCaseId } from './active-case-id.ts';
import { refreshMs } from '../live/refresh-policy.ts';

/** The active case of the viewer. Null if there is none, undefined until loaded. */
export function useActiveCase(): ActiveCase | null | undefined {
  const api = useApi();
  const { may } = useViewer();
  return useQuery(
    api.cases.active.queryOptions(undefined, {
      enabled: may('cases:manage'),
      refetchInterval: refreshMs.list,
    }),
  ).data;
}

/** Keeps the active case up to date with changes of other tabs, other users, and the server. */
export function useFollowedActiveCase(): ActiveCase | null | undefined {
  const api = useApi();
  const queryClient = useQueryClient();
  const active = useActiveCase();
  const id = active === undefined ? undefined : (active?.id ?? null);
  const askAgain = useCallback(
    () => void queryClient.invalidateQueries(api.cases.pathFilter()),
    [queryClient, api],
  );
  useEffect(() => {
    if (id !== undefined) setActiveCaseId(id);
  }, [id]);
  useEffect(() => onActiveCaseElsewhere(askAgain), [askAgain]);
  useWatch(typeof id === 'string' ? { kind: 'case', id } : null, askAgain);
  return active;
}
