import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/use-api.ts';

/** After any act on a run, whether it came through or was refused, the screen shows what is so now. */
export function useShowsAfter(): { readonly onSettled: () => Promise<void> } {
  const api = useApi();
  const queries = useQueryClient();
  return { onSettled: () => queries.invalidateQueries(api.airBlast.pathFilter()) };
}
