import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/use-api.ts';

/** After temporary access was requested, approved, denied or ended: who may do what is asked anew. */
export function useAccessGrantsChanged(): () => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return useCallback(() => {
    void queryClient.invalidateQueries(api.access.accessGrants.pathFilter());
    void queryClient.invalidateQueries(api.notifications.pathFilter());
    void queryClient.invalidateQueries(api.session.get.queryFilter());
  }, [api, queryClient]);
}
