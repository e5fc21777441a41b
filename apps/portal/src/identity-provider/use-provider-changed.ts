import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/use-api.ts';
import { useFlash } from '../ui/flash-store.ts';

/** After a change: everything of the provider is read anew, and a line says what was done. */
export function useProviderChanged(): (words?: string) => void {
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  return (words) => {
    void queryClient.invalidateQueries(api.provider.pathFilter());
    if (words !== undefined) flash.add({ type: 'success', content: words });
  };
}
