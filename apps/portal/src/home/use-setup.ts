import { useQuery } from '@tanstack/react-query';
import type { InstallationSetup } from '@deviceportal/contract/installation';
import { useApi } from '../api/use-api.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { usePreferences } from '../ui/preferences-store.ts';
import { setupSteps } from './setup-steps.ts';

/** The state of the setup, for users who manage access; undefined if it is done or was dismissed. */
export function useSetup(): InstallationSetup | undefined {
  const api = useApi();
  const { may } = useViewer();
  const isDismissed = usePreferences().setupDismissed === true;
  const { data } = useQuery(
    api.installation.getSetup.queryOptions(undefined, {
      enabled: may('access:manage') && !isDismissed,
      refetchInterval: refreshMs.totals,
    }),
  );
  if (data === undefined || isDismissed) return undefined;
  return setupSteps(data).every(({ isDone }) => isDone) ? undefined : data;
}
