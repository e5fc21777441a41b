import { useCallback, useEffect, useRef } from 'react';
import { useWatches } from '../../live/use-watch.ts';

/**
 * The number of runs of a list that are watched live. Others follow with the refresh of the list.
 */
const FOLLOWED = 10;
const QUIET_MS = 1_000;

/** Calls `onNews` at most once per second when one of the runs changes. */
export function useRunNews(runIds: readonly string[], onNews: () => void): void {
  const latest = useRef(onNews);
  useEffect(() => {
    latest.current = onNews;
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const hear = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, QUIET_MS);
  }, []);
  useWatches(
    [...new Set(runIds)].slice(0, FOLLOWED).map((id) => ({ kind: 'run', id })),
    hear,
  );
}
