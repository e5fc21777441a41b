import { and, eq, getTableName, lt, not, sql } from 'drizzle-orm';
import { isHeld } from '../../legal-holds/data/held.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Retention } from '../../platform/retention.ts';
import { webPageSession } from './web-page-tables.ts';

/** Sessions that were opened before and have ended. */
export function webPageRetention(days: number): Retention {
  const { deviceId, userId, openedAt, state } = webPageSession;
  const ended = and(
    eq(state, 'ended'),
    lt(openedAt, sql`${portalNow} - make_interval(days => ${days})`),
    not(isHeld({ device: deviceId, user: userId, at: openedAt })),
  );
  return { table: getTableName(webPageSession), ended: sql`${ended}` };
}
