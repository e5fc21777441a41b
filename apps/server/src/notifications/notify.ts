import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import type { NotificationFacts, NotificationKind } from '@deviceportal/contract/notifications';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { activeUsers } from '../access/data/active-users.ts';
import { userNames } from '../access/data/user-names.ts';
import { rowsOf } from '../platform/database/rows-of.ts';

export interface NotificationDraft {
  readonly userId: string;
  readonly kind: NotificationKind;
  /** What it is about, by which it is told once: `run:…`. */
  readonly subject: string;
  readonly facts: NotificationFacts;
}

const columnTypes = {
  id: 'uuid',
  user_id: 'uuid',
  kind: 'text',
  subject: 'text',
  facts: 'jsonb',
} as const;

/**
 * Tells people of something, in the transaction of the fact and as each of them has set it. Whom it was told before
 * is not told again: a retry, another server or a restart changes nothing. Returns what to publish after commit.
 */
export async function notify(
  tx: Transaction,
  drafts: readonly NotificationDraft[],
): Promise<Change[]> {
  if (drafts.length === 0) return [];
  const rows = drafts.map((draft) => ({
    id: newId(),
    user_id: draft.userId,
    kind: draft.kind,
    subject: draft.subject,
    facts: JSON.stringify(draft.facts),
  }));
  const { rows: told } = await tx.execute<{ subject: string }>(sql`
    with made as (
      insert into notification (id, user_id, kind, subject, facts, at, shown, message)
      select draft.id, draft.user_id, draft.kind, draft.subject, draft.facts, portal_now(), coalesce(s.portal, true),
        case when s.message then 'wanted' else 'none' end
      from ${rowsOf(columnTypes, rows)} as draft
      join ${activeUsers} on ${activeUsers.userId} = draft.user_id
      left join notification_setting s on s.user_id = draft.user_id and s.kind = draft.kind
      where coalesce(s.portal, true) or s.message
      on conflict (subject, kind, user_id) do nothing
      returning user_id)
    select distinct ${userNames.subject} from made join ${userNames} on ${userNames.userId} = made.user_id`);
  return toldChange(told.map(({ subject }) => subject));
}

/** @param subjects `sub` of those who have news */
export function toldChange(subjects: readonly string[]): Change[] {
  return subjects.length === 0 ? [] : [{ kind: 'notifications', subjects }];
}
