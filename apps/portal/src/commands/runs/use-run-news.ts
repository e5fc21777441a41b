import { useCallback, useEffect, useRef } from 'react';
import { useWatches } from '../../live/use-watch.ts';

/** Of the runs of a list so many are followed; the others wait for its own refresh. */
const FOLLOWED = 10;
const QUIET_MS = 1_000;

/** Calls, at most once a second, when something has happened in one of these runs: a list shows it then. */
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
