import { sql } from 'drizzle-orm';
import { notificationPath, notificationWords } from '@deviceportal/contract/notification-words';
import type { NotificationFacts, NotificationKind } from '@deviceportal/contract/notifications';
import type { NoticeQueue } from '../messages/notice-queue.ts';
import { messageLanguage } from '../messages/render-message.ts';
import { renderNotice } from '../messages/render-notice.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { personHolds } from '../access/data/people-holding.ts';
import { userContacts } from '../access/data/user-contacts.ts';
import { maskFacts } from './mask-facts.ts';

export interface SendNoticesDeps {
  readonly database: Database;
  readonly notices: NoticeQueue;
  readonly publicUrl: string;
}

interface Wanted {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly facts: NotificationFacts;
  readonly person: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly language: string | null;
  readonly username: string;
  readonly name: string;
  readonly readsPeople: boolean;
}

const AT_ONCE = 50;

/**
 * Hands to the outbox what people want by message. Taking it and handing it over are one transaction: a server that
 * dies between the two has done neither, and two servers never take the same.
 */
export async function sendNotices(deps: SendNoticesDeps): Promise<void> {
  for (;;) {
    const count = await inTransaction(deps.database, (tx) => sendSome(tx, deps));
    if (count < AT_ONCE) return;
  }
}

async function sendSome(tx: Transaction, deps: SendNoticesDeps): Promise<number> {
  const { rows } = await tx.execute(sql`
    select n.id, n.kind, n.facts, ${userContacts.subject} as person, ${userContacts.email}, ${userContacts.phone},
      ${userContacts.preferences}->>'language' as language, ${userContacts.username}, ${userContacts.name},
      ${personHolds(userContacts.userId, 'people:read')} as "readsPeople"
    from notification n join ${userContacts} on ${userContacts.userId} = n.user_id
    where n.message = 'wanted' order by n.at limit ${AT_ONCE} for update of n skip locked`);
  const wanted = rows as unknown as Wanted[];
  if (wanted.length === 0) return 0;
  const queued: string[] = [];
  for (const one of wanted) if (await queueOne(tx, deps, one)) queued.push(one.id);
  await tx.execute(sql`
    update notification set message = case when id = any(${sql.param(queued)}::uuid[]) then 'queued' else 'none' end
    where id = any(${sql.param(wanted.map(({ id }) => id))}::uuid[])`);
  return wanted.length;
}

/** By e-mail, else by text message. False: the person has neither, or this installation sends none of the kind. */
async function queueOne(
  tx: Transaction,
  { notices, publicUrl }: SendNoticesDeps,
  wanted: Wanted,
): Promise<boolean> {
  const { kind, person, email, phone, language: chosen, readsPeople, username, name } = wanted;
  const language = messageLanguage(chosen ?? undefined);
  const channel = email !== null && notices.has('email') ? 'email' : 'sms';
  const to = channel === 'email' ? email : phone;
  if (to === null || !notices.has(channel)) return false;
  const facts = maskFacts(wanted.facts, { readsPeople, own: [username, name] });
  const words = notificationWords(kind, facts, language);
  const url = new URL(notificationPath(kind, facts), publicUrl).href;
  const rendered = renderNotice({ ...words, url }, { language, channel });
  await notices.queue(tx, { ...rendered, to, channel, kind, person });
  return true;
}
