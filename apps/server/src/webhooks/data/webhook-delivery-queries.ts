import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { deliveryOutbox, type Attempt } from '../../platform/deliveries/delivery-outbox.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { webhook, webhookDelivery } from './webhooks-tables.ts';

export type StoredDelivery = typeof webhookDelivery.$inferSelect;
type NewDelivery = Pick<
  StoredDelivery,
  'id' | 'webhookId' | 'eventIds' | 'firstNumber' | 'gapUntil' | 'freeAt' | 'createdAt'
>;

export async function insertDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await tx
    .insert(webhookDelivery)
    .values(deliveries.map((each) => ({ ...each, queuedAt: each.createdAt })));
}

const isActive = sql`exists (${sql`select from ${webhook}
  where ${webhook.id} = ${webhookDelivery.webhookId} and ${webhook.pausedBecause} is null`})`;

/** Of a webhook, one request is sent after the other; of a paused one, none. */
export const webhookOutbox = deliveryOutbox(webhookDelivery, [webhookDelivery.webhookId], isActive);

/** What came of an attempt that failed. */
export async function recordAttempt(
  on: Executor,
  { id, attempts }: Attempt,
  seen: { readonly status: number | null; readonly durationMs: number },
): Promise<void> {
  await on
    .update(webhookDelivery)
    .set(seen)
    .where(and(eq(webhookDelivery.id, id), eq(webhookDelivery.attempts, attempts)));
}

const LISTED = 100;

export const listDeliveries = (on: Executor, webhookId: string): Promise<StoredDelivery[]> =>
  on
    .select()
    .from(webhookDelivery)
    .where(eq(webhookDelivery.webhookId, webhookId))
    .orderBy(desc(webhookDelivery.id))
    .limit(LISTED);

/** A request of an own webhook that was given up, locked until the transaction ends. */
export async function lockFailedDelivery(tx: Transaction, { userId }: Viewer, id: string) {
  const [found] = await tx
    .select({ delivery: webhookDelivery, webhook })
    .from(webhookDelivery)
    .innerJoin(webhook, eq(webhook.id, webhookDelivery.webhookId))
    .where(
      and(
        eq(webhookDelivery.id, id),
        eq(webhook.ownerId, userId),
        eq(webhookDelivery.state, 'failed'),
      ),
    )
    .for('update', { of: webhookDelivery });
  return found;
}

export async function reopenDelivery(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx
    .update(webhookDelivery)
    .set({ state: 'waiting', attempts: 0, freeAt: at, queuedAt: at, endedAt: null })
    .where(eq(webhookDelivery.id, id));
}

/** Gives up the requests of a webhook that were queued before a time. */
export async function giveUpQueued(
  tx: Transaction,
  webhookId: string,
  { before, at }: { readonly before: Date; readonly at: Date },
): Promise<void> {
  await tx
    .update(webhookDelivery)
    .set({ state: 'failed', lastError: 'waited-too-long', endedAt: at })
    .where(
      and(
        eq(webhookDelivery.webhookId, webhookId),
        isNull(webhookDelivery.endedAt),
        lt(webhookDelivery.queuedAt, before),
      ),
    );
}
