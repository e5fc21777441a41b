import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/use-api.ts';

/** Reloads all version data and the devices that it affects. */
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
