import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import { findLatest } from './data/notification-queries.ts';
import { toldChange } from './notify.ts';

const LATEST_SECONDS = 30;

/**
 * Publishes to the live channel what was committed lately by any process: by jobs, by other servers and by servers that
 * stopped before they published it. Called repeatedly; it announces each notification once.
 */
export function createAnnouncer({
  database,
  changes,
}: {
  readonly database: Pick<Database, 'orm'>;
  readonly changes: ChangeFeed;
}): () => Promise<void> {
  let known = new Set<string>();
  return async () => {
    const rows = await findLatest(database.orm, LATEST_SECONDS);
    const fresh = rows.filter(({ id }) => !known.has(id));
    known = new Set(rows.map(({ id }) => id));
    changes.publish(toldChange([...new Set(fresh.map(({ subject }) => subject))]));
  };
}
