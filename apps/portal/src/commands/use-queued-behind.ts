import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LockHolderRun } from '@deviceportal/contract/change-locks';
import { useApi } from '../api/use-api.ts';
import { useWatches } from '../live/use-watch.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

/** The number of preceding runs that are watched live for their end. */
const WATCHED = 10;
const MOST_RUNS = 100;

/** The runs ahead in the queue, by the ID of the queued run. */
export type QueuedBehind = ReadonlyMap<string, readonly LockHolderRun[]>;

/**
 * The runs of other users that each run is queued behind.
 *
 * @param open Unfinished runs. Without any, nothing is requested.
 * @param deviceId Limits the result to one device. Null for all devices.
 */
export function useQueuedBehind(
  open: readonly string[],
  deviceId: string | null = null,
): QueuedBehind {
  const api = useApi();
  const { may } = useViewer();
  const runIds = [...new Set(open)].toSorted().slice(0, MOST_RUNS);
  const { data, refetch } = useQuery(
    api.commands.waitsBehind.queryOptions(
      { runIds, deviceId },
      {
        enabled: runIds.length > 0 && may('commands:read'),
        placeholderData: keepPreviousData,
        refetchInterval: refreshMs.work,
      },
    ),
  );
  const queuedBehind = useMemo(
    () => new Map(data?.map(({ runId, behind }) => [runId, behind])),
    [data],
  );
  const held = new Set([...queuedBehind.values()].flat().map(({ runId }) => runId));
  useWatches(
    [...held].slice(0, WATCHED).map((id) => ({ kind: 'run', id })),
    () => void refetch(),
  );
  return queuedBehind;
}
