import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { advancingStates, type ImportState } from '@deviceportal/contract/imports';
import { useApi, useApiClient } from '../api/use-api.ts';

const isAdvancing = (state: ImportState | undefined): boolean =>
  advancingStates.some((each) => each === state);

/**
 * Continues an import while its page is open: the check, the confirmed changes, or the undoing. Each call is checked with
 * the current permissions, and continues where the last one ended.
 */
export function useAdvance(id: string, state: ImportState | undefined) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const mustAdvance = isAdvancing(state) && error === null;
  useEffect(() => {
    if (!mustAdvance) return undefined;
    let isStopped = false;
    const advance = async (): Promise<void> => {
      for (;;) {
        const next = await client.imports.advance.mutate({ id });
        if (isStopped) return;
        queryClient.setQueryData(api.imports.get.queryKey({ id }), next);
        if (isAdvancing(next.state)) continue;
        await queryClient.invalidateQueries(api.imports.listRows.pathFilter());
        await queryClient.invalidateQueries(api.imports.list.pathFilter());
        await queryClient.invalidateQueries(api.devices.pathFilter());
        return;
      }
    };
    advance().catch((cause: unknown) => {
      if (!isStopped) setError(cause);
    });
    return () => {
      isStopped = true;
    };
  }, [mustAdvance, id, api, client, queryClient]);
  return { error, retry: () => setError(null) };
}
