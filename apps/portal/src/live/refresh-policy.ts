import { focusManager, type QueryClient, type QueryObserverOptions } from '@tanstack/react-query';
import { COMMAND_RESULT_REFRESH_INTERVAL_MS } from '@deviceportal/contract/constants';
import { isLive, onLiveChange } from './live-state.ts';

/** How often what is on screen is asked for again, by what it is. In ms. */
export const refreshMs = {
  /** What is being read at this moment, a piece at a time. */
  reading: 300,
  /** What changes within seconds of a press, and what is not there yet. */
  soon: 2_000,
  /** What the server is working out. */
  workedOut: 5_000,
  /** Work that goes on: runs, results, rollouts, reports (docs/design/portal.md, section 4). */
  work: COMMAND_RESULT_REFRESH_INTERVAL_MS,
  /** Lists and details. */
  list: 30_000,
  /** Numbers over many devices. */
  figures: 60_000,
  /** Numbers over days. */
  trend: 900_000,
} as const;

/** While the live channel is connected, what names no interval is asked for again only as a precaution. */
const PRECAUTION_MS = 120_000;
/** So many tabs lose the live channel in one moment; their questions are spread over this time. */
const SPREAD_MS = 3_000;
/** An endless list is read again as a whole, so a long one is left as it is. */
const MOST_PAGES = 5;

/** An answer that its screen keeps longer than this is a choice, a name or a preview: it is not followed. */
const FOLLOWED_STALE_MS = 5_000;
/** Tabs that were opened in one moment do not stay in step; never later than promised. */
const pace = 1 - Math.random() / 10;

/** What of a query says how it follows. */
interface Followed {
  readonly observers: readonly {
    readonly options: Pick<QueryObserverOptions, 'gcTime' | 'refetchOnWindowFocus' | 'staleTime'>;
  }[];
  readonly state: { readonly data: unknown };
}

/** The interval of what the live channel tells of: it is asked for only without the channel. */
export function whileNotLive(everyMs: number): () => number | false {
  return () => (isLive() ? false : everyMs);
}

/** The interval of a list that is asked for more often while something on it goes on. */
export function refreshWhile(
  isWorking: boolean | undefined,
  query: Followed,
  everyMs: number = refreshMs.work,
): number | false {
  return isWorking === true ? everyMs : defaultRefreshMs(query);
}

/** The interval of every query that names none. */
export function defaultRefreshMs(query: Followed): number | false {
  if (!mayFollow(query)) return false;
  return Math.round(pace * (isLive() ? PRECAUTION_MS : refreshMs.list));
}

/** Asks once for all that is on screen when the live channel is lost, and when it is back. */
export function refreshWithLiveChannel(queryClient: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasLive = isLive();
  let wasEverLive = wasLive;
  const end = onLiveChange(({ live }) => {
    const isOther = live !== wasLive;
    const isFirst = live && !wasEverLive;
    wasLive = live;
    wasEverLive ||= live;
    if (!isOther || isFirst) return;
    clearTimeout(timer);
    timer = setTimeout(
      // A hidden tab asks when it is shown again; what is on its way already is not asked for twice.
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

/** What is kept for its screen as it was, on purpose, says so: it is fresh for long, forgotten at once, or held in place. */
function mayFollow({ observers, state }: Followed): boolean {
  const pages = (state.data as { readonly pages?: readonly unknown[] } | undefined)?.pages;
  if (pages !== undefined && pages.length > MOST_PAGES) return false;
  return observers.every(
    ({ options }) =>
      (typeof options.staleTime !== 'number' || options.staleTime <= FOLLOWED_STALE_MS) &&
      options.gcTime !== 0 &&
      options.refetchOnWindowFocus !== false,
  );
}
