import { notificationPath, notificationWords } from '@deviceportal/contract/notification-words';
import type { NoticeQueue } from '../messages/notice-queue.ts';
import { messageLanguage } from '../messages/render-message.ts';
import { renderNotice } from '../messages/render-notice.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import {
  lockWantedNotices,
  markHandedOver,
  type WantedNotice,
} from './data/notification-queries.ts';
import { maskFacts } from './mask-facts.ts';

export interface SendNoticesDeps {
  readonly database: Database;
  readonly notices: NoticeQueue;
  readonly publicUrl: string;
}

const BATCH_SIZE = 50;

/**
 * Queues notifications that users want by message. Claiming and queueing are one transaction: a server that stops in
 * between has done neither, and two servers never claim the same notification.
 */
export async function sendNotices(deps: SendNoticesDeps): Promise<void> {
  for (;;) {
    const count = await inTransaction(deps.database, (tx) => sendSome(tx, deps));
    if (count < BATCH_SIZE) return;
  }
}

async function sendSome(tx: Transaction, deps: SendNoticesDeps): Promise<number> {
  const wanted = await lockWantedNotices(tx, BATCH_SIZE);
  if (wanted.length === 0) return 0;
  const queued: string[] = [];
  for (const one of wanted) if (await queueOne(tx, deps, one)) queued.push(one.id);
  await markHandedOver(
    tx,
    wanted.map(({ id }) => id),
    queued,
  );
  return wanted.length;
}

/**
 * By email, else by text message. False: the user has neither, or this installation sends messages by neither
 * channel.
 */
async function queueOne(
  tx: Transaction,
  { notices, publicUrl }: SendNoticesDeps,
  wanted: WantedNotice,
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
