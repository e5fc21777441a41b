import { sql } from 'drizzle-orm';
import { IMPORT_HOURS } from '@deviceportal/contract/imports';
import type { Retention } from '../../platform/retention.ts';

const hours = sql`make_interval(hours => ${IMPORT_HOURS})`;

/**
 * Rows of files are deleted when they can no longer be confirmed or undone; an import that was stopped in between keeps
 * them for a week. What they did is in the audit trail. The list of imports is kept for 90 days.
 */
export const importRetentions = (): readonly Retention[] => [
  {
    table: 'data_import_row',
    ended: sql`not exists (
      select from data_import i where i.id = import_id and (
        coalesce(i.ended_at, i.created_at) > portal_now() - ${hours}
        or i.state in ('applying', 'undoing') and i.created_at > portal_now() - interval '7 days'))`,
  },
  { table: 'data_import', ended: sql`created_at < portal_now() - interval '90 days'` },
];
