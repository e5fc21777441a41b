import { sql } from 'drizzle-orm';
import { isAnythingHeld } from '../../legal-holds/data/held.ts';
import type { Retention } from '../../platform/retention.ts';

/** What became of requests is kept for 30 days; of an erased owner, for a day. */
export const webhookRetentions = (): readonly Retention[] => [
  {
    table: 'webhook_delivery',
    ended: sql`ended_at < portal_now() - interval '30 days' and not ${isAnythingHeld}
      or created_at < portal_now() - interval '1 day'
        and not exists (select from webhook where webhook.id = webhook_id)`,
  },
];
