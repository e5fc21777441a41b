import type { DataSourceView, TableSource } from '@deviceportal/contract/data-sources';
import { readFeed, selectRejections } from './data/feed-queries.ts';
import { countOutgoing } from './data/outgoing-queries.ts';
import type { DataSourcesDeps } from './data-sources-deps.ts';

const SHOWN_REJECTIONS = 20;

/** The state of a data source. */
export async function describeFeed(
  { database, tableNames }: DataSourcesDeps,
  source: TableSource,
): Promise<DataSourceView> {
  const table = tableNames[source];
  const state = table === undefined ? undefined : await readFeed(database.orm, source);
  if (table === undefined || state === undefined) return { source, feed: null };
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
  const rejected = await selectRejections(database.orm, source, SHOWN_REJECTIONS);
  const { lastFault: text, lastFaultAt } = state;
  return {
    source,
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
      waitingCount: await countOutgoing(database.orm, source),
      writesAll: state.allAfter !== null,
      fullSince: iso(state.fullSince),
      ...{ readFault: state.readFault, writeFault: state.writeFault },
      lastFault:
        text === null || lastFaultAt === null ? null : { text, at: lastFaultAt.toISOString() },
    },
  };
}
