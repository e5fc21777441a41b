import { useQuery } from '@tanstack/react-query';
import type { CommandForm } from '@deviceportal/contract/commands';
import type { ChangeLock } from '@deviceportal/contract/change-locks';
import { useApi } from '../../api/use-api.ts';
import type { Target } from './use-target.ts';
import { refreshMs } from '../../live/refresh-policy.ts';

export interface OthersChangeLocks {
  /** Change locks of other users on the chosen device. */
  readonly locks: readonly ChangeLock[];
  readonly refetch: () => void;
}

/** Change locks of other users on the device. Empty for read-only commands and for many devices. */
export function useChangeLocks(form: CommandForm, target: Target): OthersChangeLocks {
  const api = useApi();
  const deviceId = target.kind === 'one' ? target.device.data?.id : undefined;
  const { data, refetch } = useQuery(
    api.commands.changeLocks.queryOptions(
      { deviceId: deviceId ?? '' },
      {
        enabled: deviceId !== undefined && form.consequence !== 'reads',
        refetchInterval: refreshMs.work,
      },
    ),
  );
  return { locks: (data ?? []).filter(({ own }) => !own), refetch: () => void refetch() };
}
