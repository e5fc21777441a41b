import { sql } from 'drizzle-orm';
import type { Transaction } from './database.ts';

/** Waits until no other transaction holds the name, and holds it until this one ends. */
export async function holdUntilCommit(tx: Transaction, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`);
}

/** Holds the name until the transaction ends, unless another one does. Answers whether it does. */
export async function tryHoldUntilCommit(tx: Transaction, name: string): Promise<boolean> {
  const [found] = await tx
    .select({ held: sql<boolean>`held` })
    .from(sql`pg_try_advisory_xact_lock(hashtext(${name})) as held`);
  return found?.held === true;
}
