import { and, asc, count, eq, sql } from 'drizzle-orm';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { deliveryOutbox } from '../../platform/deliveries/delivery-outbox.ts';
import { caseTicket, ticketDelivery, ticketSystem } from './tickets-tables.ts';

export type StoredSystem = typeof ticketSystem.$inferSelect;
export type StoredTicket = typeof caseTicket.$inferSelect;
export type StoredDelivery = typeof ticketDelivery.$inferSelect;

/** Of a case, one message is sent after the other. */
export const ticketOutbox = deliveryOutbox(ticketDelivery, [ticketDelivery.caseId]);

export async function findSystem(on: Executor): Promise<StoredSystem | undefined> {
  const [found] = await on.select().from(ticketSystem);
  return found;
}

export async function saveSystem(
  tx: Transaction,
  { id, settings, sealed }: Pick<StoredSystem, 'id' | 'settings' | 'sealed'>,
): Promise<void> {
  await tx
    .insert(ticketSystem)
    .values({ id, settings, sealed })
    .onConflictDoUpdate({
      target: ticketSystem.isOnly,
      set: { id, settings, sealed, changedAt: portalNow },
    });
}

export async function deleteSystem(tx: Transaction): Promise<void> {
  await tx.delete(ticketSystem);
}

/** Messages that are not delivered. */
export async function countOpenDeliveries(
  on: Executor,
): Promise<{ readonly waiting: number; readonly failed: number }> {
  const rows = await on
    .select({ state: ticketDelivery.state, count: count() })
    .from(ticketDelivery)
    .where(sql`${ticketDelivery.endedAt} is null or ${ticketDelivery.state} = 'failed'`)
    .groupBy(ticketDelivery.state);
  const numberOf = (...states: readonly string[]): number =>
    rows.filter(({ state }) => states.includes(state)).reduce((sum, row) => sum + row.count, 0);
  return { waiting: numberOf('waiting', 'sending'), failed: numberOf('failed') };
}

export async function findTicket(on: Executor, caseId: string): Promise<StoredTicket | undefined> {
  const [found] = await on.select().from(caseTicket).where(eq(caseTicket.caseId, caseId));
  return found;
}

/** @returns false if the case has one already */
export async function insertTicket(
  tx: Transaction,
  { caseId, kind }: Pick<StoredTicket, 'caseId' | 'kind'>,
): Promise<boolean> {
  const { rowCount } = await tx.insert(caseTicket).values({ caseId, kind }).onConflictDoNothing();
  return rowCount === 1;
}

export async function setTicketCreated(
  tx: Transaction,
  caseId: string,
  created: { readonly externalId: string; readonly key: string; readonly url: string },
): Promise<void> {
  await tx.update(caseTicket).set(created).where(eq(caseTicket.caseId, caseId));
}

export type NewDelivery = Pick<StoredDelivery, 'id' | 'caseId' | 'act' | 'entryId' | 'createdAt'>;

export async function insertDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await tx
    .insert(ticketDelivery)
    .values(deliveries.map((delivery) => ({ ...delivery, freeAt: delivery.createdAt })));
}

/** Messages of a case that are not delivered, in their order. */
export async function pendingDeliveries(on: Executor, caseId: string): Promise<StoredDelivery[]> {
  return on
    .select()
    .from(ticketDelivery)
    .where(
      and(
        eq(ticketDelivery.caseId, caseId),
        sql`(${ticketDelivery.endedAt} is null or ${ticketDelivery.state} = 'failed')`,
      ),
    )
    .orderBy(asc(ticketDelivery.id))
    .limit(100);
}

/** Sends messages of a case again that were given up. @returns their number */
export async function reopenDeliveries(tx: Transaction, caseId: string, at: Date): Promise<number> {
  const { rowCount } = await tx
    .update(ticketDelivery)
    // An attempt before may have arrived, so the receiver is asked first.
    .set({ state: 'waiting', attempts: 1, freeAt: at, endedAt: null })
    .where(and(eq(ticketDelivery.caseId, caseId), eq(ticketDelivery.state, 'failed')));
  return rowCount ?? 0;
}
