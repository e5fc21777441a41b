import { and, asc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { WEBHOOK_LIMITS, type WebhookPauseReason } from '@deviceportal/contract/webhooks';
import { userNamesAs } from '../../access/data/user-names.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { webhook, webhookDelivery } from './webhooks-tables.ts';

export type StoredWebhook = typeof webhook.$inferSelect;

const owner = userNamesAs('webhook_owner');

/** Users who manage webhooks without limits see all of them; others see their own. */
const visibleTo = ({ grants, userId }: Viewer): SQL | undefined =>
  scopesOf(grants, ['webhooks:manage']).some(isEverywhere)
    ? undefined
    : eq(webhook.ownerId, userId);

const isOpen = sql`${webhookDelivery.endedAt} is null`;
const deliveriesOf = sql`from ${webhookDelivery} where ${webhookDelivery.webhookId} = ${webhook.id}`;
const countOf = (condition: SQL): SQL<number> =>
  sql<number>`(${sql`select count(*)::int ${deliveriesOf} and ${condition}`})`;

export async function insertWebhook(
  tx: Transaction,
  created: Pick<
    StoredWebhook,
    'id' | 'ownerId' | 'name' | 'eventTypes' | 'sealed' | 'preparedUpTo'
  >,
): Promise<void> {
  await tx.insert(webhook).values(created);
}

export async function updateWebhook(
  tx: Executor,
  id: string,
  set: Partial<Omit<StoredWebhook, 'id' | 'ownerId'>>,
): Promise<void> {
  await tx.update(webhook).set(set).where(eq(webhook.id, id));
}

export async function deleteWebhook(tx: Transaction, id: string): Promise<void> {
  await tx.delete(webhookDelivery).where(eq(webhookDelivery.webhookId, id));
  await tx.delete(webhook).where(eq(webhook.id, id));
}

/** A visible webhook, locked until the transaction ends. */
export async function lockVisible(
  tx: Transaction,
  viewer: Viewer,
  id: string,
): Promise<StoredWebhook | undefined> {
  const [found] = await tx
    .select()
    .from(webhook)
    .where(and(eq(webhook.id, id), visibleTo(viewer)))
    .for('update');
  return found;
}

/** Bounded by the growth limit of webhooks. */
const LISTED = 100;

export const selectWebhooks = (on: Executor, viewer: Viewer, id?: string) =>
  on
    .select({
      webhook,
      owner: owner.username,
      waiting: countOf(isOpen),
      failed: countOf(sql`${webhookDelivery.state} = 'failed'`),
    })
    .from(webhook)
    .leftJoin(owner, eq(owner.userId, webhook.ownerId))
    .where(and(visibleTo(viewer), id === undefined ? undefined : eq(webhook.id, id)))
    .orderBy(asc(sql`lower(${webhook.name})`), asc(webhook.id))
    .limit(LISTED);

export const webhooksOf = (ownerId: string): SQL =>
  sql`select from ${webhook} where ${eq(webhook.ownerId, ownerId)}`;

export const allWebhooks: SQL = sql`select from ${webhook}`;

/** A webhook with the `sub` of its owner. */
export async function findWithOwner(on: Executor, id: string) {
  const [found] = await on
    .select({ webhook, subject: owner.subject })
    .from(webhook)
    .leftJoin(owner, eq(owner.userId, webhook.ownerId))
    .where(eq(webhook.id, id));
  return found;
}

/** Active webhooks with room for further requests and entries to read, locked until the transaction ends. */
export const lockPreparable = (tx: Transaction, head: number) =>
  tx
    .select({ webhook, subject: owner.subject })
    .from(webhook)
    .leftJoin(owner, eq(owner.userId, webhook.ownerId))
    .where(
      and(
        isNull(webhook.pausedBecause),
        sql`${webhook.preparedUpTo} < ${head}`,
        sql`${countOf(isOpen)} < ${WEBHOOK_LIMITS.prepared}`,
      ),
    )
    .for('update', { of: webhook, skipLocked: true });

/** Moves the positions of webhooks in one statement. */
export async function movePositions(
  tx: Transaction,
  moved: readonly Pick<StoredWebhook, 'id' | 'preparedUpTo' | 'nextNumber'>[],
): Promise<void> {
  if (moved.length === 0) return;
  const given = rowsOf(
    { id: 'uuid', prepared_up_to: 'bigint', next_number: 'bigint' },
    moved.map(({ id, preparedUpTo, nextNumber }) => ({
      ...{ id, prepared_up_to: preparedUpTo, next_number: nextNumber },
    })),
  );
  await tx.execute(sql`
    update ${webhook} set prepared_up_to = given.prepared_up_to, next_number = given.next_number
    from ${given} as given where given.id = ${webhook.id}`);
}

/** Active webhooks whose oldest request was queued before a time. */
export const lockBehind = (tx: Transaction, queuedBefore: Date): Promise<StoredWebhook[]> =>
  tx
    .select()
    .from(webhook)
    .where(
      and(
        isNull(webhook.pausedBecause),
        sql`exists (${sql`select ${deliveriesOf} and ${isOpen}
          and ${webhookDelivery.queuedAt} < ${queuedBefore.toISOString()}::timestamptz`})`,
      ),
    )
    .for('update', { skipLocked: true });

/** False if it is paused already. */
export async function markPaused(
  tx: Transaction,
  id: string,
  { because, at }: { readonly because: WebhookPauseReason; readonly at: Date },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(webhook)
    .set({ pausedBecause: because, pausedAt: at })
    .where(and(eq(webhook.id, id), isNull(webhook.pausedBecause)));
  return rowCount === 1;
}

/** @returns the requests that were given up since the last success */
export async function countFailure(tx: Transaction, id: string): Promise<number> {
  const [found] = await tx
    .update(webhook)
    .set({ failures: sql`${webhook.failures} + 1` })
    .where(eq(webhook.id, id))
    .returning({ failures: webhook.failures });
  return found?.failures ?? 0;
}
