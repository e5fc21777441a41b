import { newId } from '@deviceportal/contract/ids';
import type { NoticeQueue } from '../messages/notice-queue.ts';
import { insertOutboxMessage } from './data/outbox-queries.ts';

/** Stores notices in the local outbox, next to codes. */
export function createOutboxNotices(clock: () => Date): NoticeQueue {
  return {
    has: () => true,
    async queue(tx, { to, channel, subject, text, html = null }) {
      const [id, sentAt] = [newId(), clock().toISOString()];
      await insertOutboxMessage(tx, { id, to, channel, subject, text, html, code: null, sentAt });
    },
  };
}
