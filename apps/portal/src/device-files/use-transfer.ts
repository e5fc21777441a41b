import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/use-api.ts';

const EVERY_MS = 1_000;

/** Follows a transfer until it ends. The server repeats its request in between, if necessary. */
export function useTransfer(id: string | undefined) {
  const api = useApi();
  return useQuery(
    api.deviceFiles.transfer.queryOptions(
      { id: id ?? '' },
      {
        enabled: id !== undefined,
        refetchInterval: ({ state: { data } }) =>
          data?.state === 'done' || data?.state === 'failed' ? false : EVERY_MS,
      },
    ),
  );
}
