import type { Transaction } from '../../platform/database/database.ts';
import { holdDueErasure, keepErasure } from '../data/erasure-queries.ts';
import { beginErasure, type BegunErasure } from './begin-erasure.ts';
import { eraseBatch } from './erase-batch.ts';
import type { WholePerson } from './find-person.ts';

/**
 * Erases a user and the linked customers in one transaction, for a database that no server uses. A server later looks
 * for what remains.
 */
export async function eraseWhole(tx: Transaction, person: WholePerson): Promise<BegunErasure> {
  const begun = await beginErasure(tx, person);
  for (;;) {
    const erasure = await holdDueErasure(tx, begun.id);
    if (erasure === undefined) return begun;
    await keepErasure(tx, begun.id, await eraseBatch(tx, erasure));
  }
}
