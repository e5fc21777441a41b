import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BusyRun } from '@deviceportal/contract/change-locks';
import { useApi } from '../api/use-api.ts';
import { useWatches } from '../live/use-watch.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

/** Of those that are waited for, so many are watched: their end is somebody's turn. */
const WATCHED = 10;
const MOST_RUNS = 100;

/** By run, of those that wait their turn. */
export type Waits = ReadonlyMap<string, readonly BusyRun[]>;

/**
 * Behind whose running step each of these runs waits, for as long as it does.
 *
 * @param open runs that have not ended; without one nothing is asked
 * @param deviceId only there; null for every device of theirs
 */
export function useWaits(open: readonly string[], deviceId: string | null = null): Waits {
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
  const waits = useMemo(() => new Map(data?.map(({ runId, behind }) => [runId, behind])), [data]);
  const held = new Set([...waits.values()].flat().map(({ runId }) => runId));
  useWatches(
    [...held].slice(0, WATCHED).map((id) => ({ kind: 'run', id })),
    () => void refetch(),
  );
  return waits;
}
