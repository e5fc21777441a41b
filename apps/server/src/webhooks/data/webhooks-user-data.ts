import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { webhook } from './webhooks-tables.ts';

/** Webhooks end with their owner. Requests without a webhook are not sent, and contain only IDs. */
export const webhooksUserTables: UserTables = {
  own: [{ table: webhook, id: webhook.ownerId }],
  secret: [webhook.sealed],
};
