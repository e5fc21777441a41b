import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/use-api.ts';
import { useFlash } from '../ui/flash-store.ts';

/** Reloads all data of the provider after a change, and shows a confirmation. */
export function useProviderChanged(): (words?: string) => void {
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  return (words) => {
    void queryClient.invalidateQueries(api.provider.pathFilter());
    if (words !== undefined) flash.add({ type: 'success', content: words });
  };
}
