import { sql } from 'drizzle-orm';
import type { Transaction } from './database.ts';

/**
 * Acquires a named lock, waiting for other transactions, and holds it until this transaction ends.
 */
export async function holdUntilCommit(tx: Transaction, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`);
}

/** The same for holders that exclude only those that use `holdUntilCommit`, not each other. */
export async function shareUntilCommit(tx: Transaction, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext(${name}))`);
}

/**
 * Tries to acquire a named lock until the transaction ends. Returns false if another transaction
 * holds it.
 */
export async function tryHoldUntilCommit(tx: Transaction, name: string): Promise<boolean> {
  const [found] = await tx
    .select({ held: sql<boolean>`held` })
    .from(sql`pg_try_advisory_xact_lock(hashtext(${name})) as held`);
  return found?.held === true;
}
