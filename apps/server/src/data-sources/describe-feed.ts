import type {
  DataSourceFlow,
  TableFeedView,
  TableSource,
} from '@deviceportal/contract/data-sources';
import { readFeed, selectRejections, type FeedState } from './data/feed-queries.ts';
import { measureOutgoing } from './data/outgoing-queries.ts';
import type { DataSourcesDeps } from './data-sources-deps.ts';

const SHOWN_REJECTIONS = 20;
/** A server writes the time of its last read at least this often, with room for a slow answer. */
const READ_INTERVAL_MS = 30_000;

export interface DescribedFeed {
  readonly feed: TableFeedView;
  readonly incoming: DataSourceFlow;
  readonly outgoing: DataSourceFlow;
  /** The first failed attempt of those that have failed since. */
  readonly faultSince: Date | null;
}

/** The state of a table outside the portal; undefined before a server has begun with it. */
export async function describeFeed(
  { database, clock }: Pick<DataSourcesDeps, 'clock' | 'database'>,
  source: TableSource,
  table: string,
): Promise<DescribedFeed | undefined> {
  const state = await readFeed(database.orm, source);
  if (state === undefined) return undefined;
  const nowMs = clock().getTime();
  const rejected = await selectRejections(database.orm, source, SHOWN_REJECTIONS);
  const waiting = await measureOutgoing(database.orm, source);
  const { lastFault: text, lastFaultAt } = state;
  return {
    feed: {
      ...{ table, reads: state.reads, lagMs: state.lagMs },
      since: state.since.toISOString(),
      lastReadAt: iso(state.lastReadAt),
      lastChangeAt: iso(state.lastChangeAt),
      appliedCount: state.applied,
      rejectedCount: state.rejected,
      rejected: rejected.map(({ at, ...each }) => ({ ...each, at: at.toISOString() })),
      lastWriteAt: iso(state.lastWriteAt),
      writtenCount: state.written,
      waitingCount: waiting.count,
      writesAll: state.allAfter !== null,
      fullSince: iso(state.fullSince),
      ...{ readFault: state.readFault, writeFault: state.writeFault },
      lastFault:
        text === null || lastFaultAt === null ? null : { text, at: lastFaultAt.toISOString() },
    },
    incoming: {
      lastAt: iso(state.lastReadAt),
      delayMs: readDelayMs(state, nowMs),
      waitingCount: null,
    },
    outgoing: {
      lastAt: iso(state.lastWriteAt),
      delayMs: waiting.oldestAt === null ? 0 : Math.max(0, nowMs - waiting.oldestAt.getTime()),
      waitingCount: waiting.count,
    },
    faultSince: state.readFault === null ? state.writeFaultSince : state.readFaultSince,
  };
}

/** Grows while the table cannot be read. */
function readDelayMs({ reads, lagMs, lastReadAt, since }: FeedState, nowMs: number): number | null {
  if (reads === 'table') return null;
  const silentMs = nowMs - (lastReadAt ?? since).getTime();
  return Math.max(lagMs ?? 0, silentMs > READ_INTERVAL_MS ? silentMs : 0);
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
