import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';

type Act = 'created' | 'changed' | 'deleted' | 'secret-rotated' | 'paused' | 'resumed' | 'tested';

/** Records an act on a webhook, never its path, query, and secrets. */
export function recordWebhook(
  tx: Transaction,
  caller: Caller,
  event: {
    readonly type: `webhook.${Act}` | 'webhook.delivery-retried';
    readonly webhook: { readonly id: string; readonly name: string };
    readonly more?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  return recordAudit(tx, [
    {
      type: event.type,
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: { webhookId: event.webhook.id, webhook: event.webhook.name, ...event.more },
    },
  ]);
}
