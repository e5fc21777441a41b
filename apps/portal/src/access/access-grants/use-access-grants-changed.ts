import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/use-api.ts';

/** Loads access data again after a request was created, approved, denied, or ended. */
export function useAccessGrantsChanged(): () => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return useCallback(() => {
    void queryClient.invalidateQueries(api.access.accessGrants.pathFilter());
    void queryClient.invalidateQueries(api.notifications.pathFilter());
    void queryClient.invalidateQueries(api.session.get.queryFilter());
  }, [api, queryClient]);
}
