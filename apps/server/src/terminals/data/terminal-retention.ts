import { and, eq, getTableName, isNotNull, lt, not, sql } from 'drizzle-orm';
import { isHeld } from '../../legal-holds/data/held.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Retention } from '../../platform/retention.ts';
import { terminalSession } from './terminal-tables.ts';

/** Sessions that were opened before, whose recording is sealed in the audit trail and deleted. */
export function terminalRetention(days: number): Retention {
  const { deviceId, userId, openedAt, state, sha256, expiredAt } = terminalSession;
  const ended = and(
    eq(state, 'ended'),
    isNotNull(sha256),
    isNotNull(expiredAt),
    lt(openedAt, sql`${portalNow} - make_interval(days => ${days})`),
    not(isHeld({ device: deviceId, user: userId, at: openedAt })),
  );
  return { table: getTableName(terminalSession), ended: sql`${ended}` };
}
