import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { WEBHOOK_LIMITS } from '@deviceportal/contract/webhooks';
import { lastSequenceBefore } from '../audit-trail/data/sealed-events.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { giveUpQueued, insertDeliveries } from './data/webhook-delivery-queries.ts';
import {
  deleteWebhook as deleteStored,
  lockVisible,
  markPaused,
  updateWebhook,
} from './data/webhook-queries.ts';
import { recordWebhook } from './record-webhook.ts';
import { lockOwn } from './save-webhook.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

interface Reference {
  readonly id: string;
}

const DAY_MS = 86_400_000;

/** Pauses a visible webhook. Its position in the audit trail remains. @throws PortalError 2003 */
export async function pauseByUser(
  { database, clock }: WebhooksDeps,
  caller: Caller,
  { id }: Reference,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const webhook = await lockVisible(tx, caller.viewer, id);
    if (webhook === undefined) throw new PortalError('notFound', { facts: { id } });
    if (!(await markPaused(tx, id, { because: 'paused', at: clock() }))) return;
    await recordWebhook(tx, caller, {
      ...{ type: 'webhook.paused', webhook, more: { reason: 'paused' } },
    });
  });
}

/**
 * Resumes an own webhook where it was paused. What waited for too long is not sent: prepared requests are given up, and
 * the receiver is informed of a gap. @throws PortalError 2003
 */
export async function resumeWebhook(
  { database, clock }: WebhooksDeps,
  caller: Caller,
  { id }: Reference,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const webhook = await lockOwn(tx, caller, id);
    if (webhook.pausedBecause === null) return;
    const at = clock();
    const before = new Date(at.getTime() - WEBHOOK_LIMITS.waitingDays * DAY_MS);
    await giveUpQueued(tx, id, { before, at });
    const skippedTo = await lastSequenceBefore(tx, before);
    const hasGap = skippedTo > webhook.preparedUpTo;
    if (hasGap) {
      await insertDeliveries(tx, [
        {
          ...{ id: newId(), webhookId: id, eventIds: [], firstNumber: webhook.nextNumber },
          ...{ gapUntil: before, freeAt: at, createdAt: at },
        },
      ]);
    }
    await updateWebhook(tx, id, {
      ...{ pausedBecause: null, pausedAt: null, failures: 0 },
      ...(hasGap && { preparedUpTo: skippedTo }),
    });
    await recordWebhook(tx, caller, { type: 'webhook.resumed', webhook, more: { hasGap } });
  });
}

/** Deletes a visible webhook with its requests. @throws PortalError 2003 */
export async function deleteWebhook(
  { database }: WebhooksDeps,
  caller: Caller,
  { id }: Reference,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const webhook = await lockVisible(tx, caller.viewer, id);
    if (webhook === undefined) throw new PortalError('notFound', { facts: { id } });
    await deleteStored(tx, id);
    await recordWebhook(tx, caller, { type: 'webhook.deleted', webhook });
  });
}
