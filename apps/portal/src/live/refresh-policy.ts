import { focusManager, type QueryClient, type QueryObserverOptions } from '@tanstack/react-query';
import { COMMAND_RESULT_REFRESH_INTERVAL_MS } from '@deviceportal/contract/constants';
import { portalErrorOf } from '../api/portal-error-of.ts';
import { isLive, onLiveChange } from './live-state.ts';

/** Refresh intervals of data on screen by its kind, in milliseconds. */
export const refreshMs = {
  /** Data that is loaded in parts. */
  reading: 300,
  /** Data that changes within seconds after an action, or does not exist yet. */
  soon: 2_000,
  /** Data that the server is computing. */
  computed: 5_000,
  /** Work in progress: runs, results, rollouts, reports (docs/design/portal.md, section 4). */
  work: COMMAND_RESULT_REFRESH_INTERVAL_MS,
  /** Lists and details. */
  list: 30_000,
  /** Totals over many devices. */
  totals: 60_000,
  /** Trends over days. */
  trend: 900_000,
} as const;

/**
 * Milliseconds between precautionary refreshes of queries without an interval while the live
 * channel is connected.
 */
const PRECAUTION_MS = 120_000;
/**
 * Milliseconds over which refreshes are spread, because many tabs lose the live channel at the same
 * time.
 */
const SPREAD_MS = 3_000;
/** An infinite list is refreshed as a whole, so longer ones are not refreshed. */
const MAX_PAGES = 5;

/**
 * Milliseconds. Data with a longer stale time, such as options, names, or previews, is not
 * refreshed.
 */
const FOLLOWED_STALE_MS = 5_000;
/** Jitter for tabs that were opened together. Never longer than the interval. */
const jitter = 1 - Math.random() / 10;

/** Milliseconds after which a part of the screen that no server answered asks again. */
const UNANSWERED_MS = 5_000;
/** No connection, or a server that was not available. */
const UNANSWERED = new Set([2000, 2002]);

/** The parts of a query that determine its refresh. */
interface Followed {
  readonly observers: readonly {
    readonly options: Pick<QueryObserverOptions, 'gcTime' | 'refetchOnWindowFocus' | 'staleTime'>;
  }[];
  readonly state: { readonly data: unknown; readonly error: unknown };
}

/** The interval of data that the live channel reports, which is polled only without the channel. */
export function whileNotLive(everyMs: number): () => number | false {
  return () => (isLive() ? false : everyMs);
}

/** The interval of a list that is refreshed more often while an item on it is in progress. */
export function refreshWhile(
  isWorking: boolean | undefined,
  query: Followed,
  everyMs: number = refreshMs.work,
): number | false {
  return isWorking === true ? everyMs : defaultRefreshMs(query);
}

/** The default interval for queries without one. */
export function defaultRefreshMs(query: Followed): number | false {
  if (query.state.data === undefined && isUnanswered(query.state.error))
    return Math.round(jitter * UNANSWERED_MS);
  if (!mayFollow(query)) return false;
  return Math.round(jitter * (isLive() ? PRECAUTION_MS : refreshMs.list));
}

/** Refreshes all data on screen when the live channel is lost and when it is connected again. */
export function refreshWithLiveChannel(queryClient: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasLive = isLive();
  let wasEverLive = wasLive;
  const end = onLiveChange(({ live }) => {
    const hasChanged = live !== wasLive;
    const isFirst = live && !wasEverLive;
    wasLive = live;
    wasEverLive ||= live;
    if (!hasChanged || isFirst) return;
    clearTimeout(timer);
    timer = setTimeout(
      // Hidden tabs refresh when they are shown again. Requests in progress are not repeated.
      () =>
        focusManager.isFocused()
          ? void queryClient.refetchQueries(
              { type: 'active', predicate: mayFollow },
              { cancelRefetch: false },
            )
          : undefined,
      Math.random() * SPREAD_MS,
    );
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

function isUnanswered(error: unknown): boolean {
  if (error === null) return false;
  const { code, unreadable } = portalErrorOf(error);
  return UNANSWERED.has(code) && !unreadable;
}

/**
 * False for data that is kept unchanged on purpose: with a long stale time, without caching, or
 * with placeholder data only.
 */
function mayFollow({ observers, state }: Followed): boolean {
  const pages = (state.data as { readonly pages?: readonly unknown[] } | undefined)?.pages;
  if (pages !== undefined && pages.length > MAX_PAGES) return false;
  return observers.every(
    ({ options }) =>
      (typeof options.staleTime !== 'number' || options.staleTime <= FOLLOWED_STALE_MS) &&
      options.gcTime !== 0 &&
      options.refetchOnWindowFocus !== false,
  );
}
