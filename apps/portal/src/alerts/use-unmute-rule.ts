import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/use-api.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

/** Ends the mute of a rule. */
export function useUnmuteRule(): (rule: { readonly id: string }) => void {
  const api = useApi();
  const showError = useErrorFlash();
  const queryClient = useQueryClient();
  const { mutate } = useMutation(
    api.alerts.muteRule.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(api.alerts.pathFilter()),
      onError: showError,
    }),
  );
  return useCallback(({ id }) => mutate({ id, until: null }), [mutate]);
}
