import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/use-api.ts';

/** After a change: whatever speaks of versions is asked for again, and so are the devices that it means something for. */
export function useChangedVersions(): () => Promise<void> {
  const api = useApi();
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries(api.versions.pathFilter()),
      queries.invalidateQueries(api.devices.pathFilter()),
    ]);
  };
}
