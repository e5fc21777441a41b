import { useQueries } from '@tanstack/react-query';
import { useApi } from '../api/use-api.ts';

const KEPT_MS = 300_000;

/** The names of people by ID, for screens whose address contains the ID. */
export function usePersonNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const api = useApi();
  return useQueries({
    queries: ids.map((id) =>
      api.people.get.queryOptions({ id }, { staleTime: KEPT_MS, retry: false }),
    ),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.name]]))),
  });
}
