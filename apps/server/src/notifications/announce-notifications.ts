import { sql } from 'drizzle-orm';
import { userNames } from '../access/data/user-names.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import { toldChange } from './notify.ts';

interface Announced {
  readonly id: string;
  readonly subject: string;
}

/**
 * Tells the live channel of what was committed lately, whoever wrote it: facts are found by jobs, by other servers and
 * by servers that died before they could say so. Asked again and again; each notification is announced once by it.
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
    const { rows } = await database.orm.execute<Announced & Record<string, unknown>>(sql`
      select n.id, ${userNames.subject} from notification n join ${userNames} on ${userNames.userId} = n.user_id
      where n.at > portal_now() - interval '30 seconds' and n.shown`);
    const fresh = rows.filter(({ id }) => !known.has(id));
    known = new Set(rows.map(({ id }) => id));
    changes.publish(toldChange([...new Set(fresh.map(({ subject }) => subject))]));
  };
}
