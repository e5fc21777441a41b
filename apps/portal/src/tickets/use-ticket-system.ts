import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useFlash } from '../ui/flash-store.ts';

/** Changes and tests of the connection. */
export function useTicketSystem() {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const reload = (): Promise<void> =>
    queryClient.invalidateQueries(api.tickets.getSystem.pathFilter());
  const save = useMutation(
    api.tickets.saveSystem.mutationOptions({
      onSuccess: () => {
        flash.add({ type: 'success', content: t('tickets.saved') });
        return reload();
      },
    }),
  );
  const test = useMutation(api.tickets.testSystem.mutationOptions());
  const remove = useMutation(api.tickets.removeSystem.mutationOptions({ onSuccess: reload }));
  return { save, test, remove };
}
