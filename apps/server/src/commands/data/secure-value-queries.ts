import { and, desc, eq, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { secureValue } from './commands-tables.ts';

type SecureValue = Readonly<typeof secureValue.$inferSelect>;
export type SealedValue = Pick<SecureValue, 'name' | 'fingerprint' | 'box'>;

const { name, fingerprint, box, firstUsedAt } = secureValue;

export async function insertSecureValue(tx: Transaction, value: SecureValue): Promise<void> {
  await tx.insert(secureValue).values(value).onConflictDoNothing();
}

/** All values that these parameters had when they were used, latest first. */
export async function findSecureValues(
  on: Executor,
  names: readonly string[],
): Promise<SealedValue[]> {
  return on
    .select({ name, fingerprint, box })
    .from(secureValue)
    .where(isAnyOf(name, names))
    .orderBy(desc(firstUsedAt));
}

export async function lockSecureValues(tx: Transaction): Promise<SealedValue[]> {
  return tx.select({ name, fingerprint, box }).from(secureValue).for('update');
}

/** Replaces the encrypted value and its fingerprint. */
export async function replaceSeal(
  tx: Transaction,
  old: SealedValue,
  sealed: Pick<SealedValue, 'fingerprint' | 'box'>,
): Promise<void> {
  const [moved] = await tx
    .delete(secureValue)
    .where(and(eq(name, old.name), eq(fingerprint, old.fingerprint)))
    .returning({ name, firstUsedAt });
  if (moved === undefined) return;
  await tx
    .insert(secureValue)
    .values({ ...moved, ...sealed })
    .onConflictDoUpdate({
      target: [name, fingerprint],
      set: { firstUsedAt: sql`least(${firstUsedAt}, ${excluded(firstUsedAt)})` },
    });
}
