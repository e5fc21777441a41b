import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import { findLatest } from './data/notification-queries.ts';
import { notificationsChange } from './notify.ts';

const LATEST_SECONDS = 30;

/**
 * Publishes recently committed notifications of all processes to the live channel: those of jobs, of other servers,
 * and of servers that stopped before they published them. Call it repeatedly; each notification is announced once.
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
    changes.publish(notificationsChange([...new Set(fresh.map(({ subject }) => subject))]));
  };
}
