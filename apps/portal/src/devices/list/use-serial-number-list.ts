import { useCallback } from 'react';
import { useApiClient } from '../../api/use-api.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';

/** Stores serial numbers as a list and opens the list. */
export function useSerialNumberList(): (
  serialNumbers: readonly string[],
  open: (listId: string) => void,
) => void {
  const client = useApiClient();
  const showError = useErrorFlash();
  return useCallback(
    (serialNumbers, open) =>
      void client.devices.createTargetList
        .mutate({ text: serialNumbers.join('\n') })
        .then(({ id }) => open(id), showError),
    [client, showError],
  );
}
