import { and, desc, eq } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { deliveryOutbox } from '../../platform/deliveries/delivery-outbox.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { alertDelivery, alertDestination } from './alerts-tables.ts';

export type StoredDelivery = typeof alertDelivery.$inferSelect;
type NewDelivery = Pick<
  StoredDelivery,
  | 'id'
  | 'alertId'
  | 'ownerId'
  | 'destinationId'
  | 'kind'
  | 'event'
  | 'notice'
  | 'sealed'
  | 'freeAt'
  | 'createdAt'
>;

export async function insertDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length > 0) await tx.insert(alertDelivery).values([...deliveries]);
}

/** Of an alert and a destination, one delivery is sent after the other. */
export const alertOutbox = deliveryOutbox(alertDelivery, [
  alertDelivery.alertId,
  alertDelivery.destinationId,
]);

export const listDeliveries = (on: Executor, alertId: string): Promise<StoredDelivery[]> =>
  on
    .select()
    .from(alertDelivery)
    .where(eq(alertDelivery.alertId, alertId))
    .orderBy(desc(alertDelivery.id))
    .limit(100);

/** A failed delivery of a rule of this user, with the current form of its destination if that still exists. */
export async function lockFailedDelivery(tx: Transaction, viewer: Viewer, id: string) {
  const [found] = await tx
    .select({ delivery: alertDelivery, current: alertDestination.sealed })
    .from(alertDelivery)
    .leftJoin(alertDestination, eq(alertDestination.id, alertDelivery.destinationId))
    .where(
      and(
        eq(alertDelivery.id, id),
        eq(alertDelivery.ownerId, viewer.userId),
        eq(alertDelivery.state, 'failed'),
      ),
    )
    .for('update', { of: alertDelivery });
  return found;
}

export async function reopenDelivery(
  tx: Transaction,
  { id, sealed, at }: { readonly id: string; readonly sealed: string | null; readonly at: Date },
): Promise<void> {
  await tx
    .update(alertDelivery)
    .set({ state: 'waiting', attempts: 0, freeAt: at, endedAt: null, sealed })
    .where(eq(alertDelivery.id, id));
}
