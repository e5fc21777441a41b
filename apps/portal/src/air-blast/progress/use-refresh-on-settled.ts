import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/use-api.ts';

/** Mutation options that load rollouts again after success and after an error. */
export function useRefreshOnSettled(): { readonly onSettled: () => Promise<void> } {
  const api = useApi();
  const queries = useQueryClient();
  return { onSettled: () => queries.invalidateQueries(api.airBlast.pathFilter()) };
}
