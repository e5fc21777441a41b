import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/use-api.ts';
import { useViewer } from '../../session/viewer-context.tsx';

const CATALOG_KEPT_MS = 300_000;

/**
 * Whether the user can run a command that only reads, so that it runs without a form and a
 * confirmation. False until the catalog is loaded.
 */
export function useReadsOnly(command: string | null): boolean {
  const api = useApi();
  const { may } = useViewer();
  const { data } = useQuery(
    api.commands.list.queryOptions(undefined, {
      staleTime: CATALOG_KEPT_MS,
      enabled: command !== null && may('commands:read'),
    }),
  );
  const found = data?.find((one) => one.command === command);
  return found !== undefined && found.consequence === 'reads' && found.allowed;
}
