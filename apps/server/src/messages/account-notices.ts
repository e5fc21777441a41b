import type { QueueNotice } from '@deviceportal/identity/messenger';
import { findReader } from '../access/find-reader.ts';
import { transactionOn } from '../platform/database/database.ts';
import type { NoticeQueue } from './notice-queue.ts';
import { renderMessage } from './render-message.ts';

/** Queues notices of changed accounts in the transactions of the changes. */
export function createAccountNotices(notices: NoticeQueue): QueueNotice {
  return async (client, notice) => {
    const { to, channel, kind, person, locale } = notice;
    if (person === undefined || !notices.has(channel)) return;
    const tx = transactionOn(client);
    const read = { ...notice, locale: locale ?? (await findReader(tx, person))?.language };
    await notices.queue(tx, { ...renderMessage(read), to, channel, kind, person });
  };
}
