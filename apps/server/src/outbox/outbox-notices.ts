import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import type { NoticeQueue } from '../messages/notice-queue.ts';

/** Notices onto the page of this machine, beside the codes. */
export function createOutboxNotices(clock: () => Date): NoticeQueue {
  return {
    has: () => true,
    async queue(tx, { to, channel, subject, text, html }) {
      await tx.execute(sql`
        insert into outbox_message (id, recipient, channel, subject, text, html, code, sent_at)
        values (${newId()}, ${to}, ${channel}, ${subject}, ${text}, ${html ?? null}, null,
          ${clock().toISOString()})`);
    },
  };
}
