import { sql } from 'drizzle-orm';
import { isAnythingHeld } from '../../legal-holds/data/held.ts';
import type { Retention } from '../../platform/retention.ts';

/** Resolved alerts are kept for 180 days, and what became of their deliveries for 30. */
export const alertRetentions = (): readonly Retention[] => [
  {
    table: 'alert',
    ended: sql`resolved_at < portal_now() - interval '180 days' and not ${isAnythingHeld}`,
  },
  {
    table: 'alert_delivery',
    ended: sql`ended_at < portal_now() - interval '30 days' and not ${isAnythingHeld}`,
  },
  { table: 'alert_manual_message', ended: sql`sent_at < portal_now() - interval '1 day'` },
];
