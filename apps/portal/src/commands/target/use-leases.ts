import { useQuery } from '@tanstack/react-query';
import type { CommandForm } from '@deviceportal/contract/commands';
import type { Lease } from '@deviceportal/contract/leases';
import { useApi } from '../../api/use-api.ts';
import type { Target } from './use-target.ts';
import { refreshMs } from '../../live/refresh-policy.ts';

export interface OthersLeases {
  /** What others are changing on the one device that is chosen. */
  readonly leases: readonly Lease[];
  readonly refetch: () => void;
}

/** Who else is changing the device; nobody where the command only reads, or goes to many. */
export function useLeases(form: CommandForm, target: Target): OthersLeases {
  const api = useApi();
  const deviceId = target.kind === 'one' ? target.device.data?.id : undefined;
  const { data, refetch } = useQuery(
    api.commands.leases.queryOptions(
      { deviceId: deviceId ?? '' },
      {
        enabled: deviceId !== undefined && form.consequence !== 'reads',
        refetchInterval: refreshMs.work,
      },
    ),
  );
  return { leases: (data ?? []).filter(({ own }) => !own), refetch: () => void refetch() };
}
