import {
  and,
  arrayContains,
  asc,
  desc,
  eq,
  getTableColumns,
  isNotNull,
  isNull,
  lte,
  not,
  sql,
} from 'drizzle-orm';
import type { PersonReference } from '@deviceportal/contract/personal-data';
import { isPersonHeld } from '../../legal-holds/data/held.ts';
import { portalClock } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { erasure } from './personal-data-tables.ts';

export type StoredErasure = typeof erasure.$inferSelect;

export async function insertErasure(
  tx: Transaction,
  begun: Pick<StoredErasure, 'id' | 'userId' | 'personIds' | 'sealedNames'>,
): Promise<void> {
  await tx.insert(erasure).values({ ...begun, personIds: [...begun.personIds] });
}

/**
 * Locks an erasure whose next batch is due, so that only one server at a time works on it.
 * @param id of the only one that is wanted
 */
export async function holdDueErasure(
  tx: Transaction,
  id: string | undefined,
): Promise<StoredErasure | undefined> {
  const [found] = await tx
    .select()
    .from(erasure)
    .where(
      and(
        isNull(erasure.endedAt),
        lte(erasure.dueAt, sql`${portalClock}`),
        not(isPersonHeld(erasure.userId, erasure.personIds)),
        id === undefined ? undefined : eq(erasure.id, id),
      ),
    )
    .orderBy(asc(erasure.dueAt), asc(erasure.id))
    .limit(1)
    .for('update', { skipLocked: true });
  return found;
}

export type ErasureChange = Partial<Omit<StoredErasure, 'id' | 'dueAt' | 'endedAt'>> & {
  /** Seconds until the next batch; null if there is none. */
  readonly dueInSeconds: number | null;
};

/** Stores the progress of a batch in its transaction. */
export async function keepErasure(
  tx: Transaction,
  id: string,
  { dueInSeconds, ...change }: ErasureChange,
): Promise<void> {
  const due =
    dueInSeconds === null
      ? { endedAt: sql`${portalClock}` }
      : { dueAt: sql`${portalClock} + make_interval(secs => ${dueInSeconds})` };
  await tx
    .update(erasure)
    .set({ ...change, ...due })
    .where(eq(erasure.id, id));
}

/** Maximum delay after failed batches. */
const MAX_DELAY_SECONDS = 300;

/** Delays an erasure after a failed batch: 1, 2, 4 … seconds. */
export async function delayErasure(on: Executor, id: string, failure: string): Promise<void> {
  const seconds = sql`least(power(2, least(${erasure.failures}, 20)), ${MAX_DELAY_SECONDS}::double precision)`;
  await on
    .update(erasure)
    .set({
      failure,
      failures: sql`${erasure.failures} + 1`,
      dueAt: sql`${portalClock} + make_interval(secs => ${seconds})`,
    })
    .where(and(eq(erasure.id, id), isNull(erasure.endedAt)));
}

/** The last erasure of a person. */
export async function findErasureOf(
  on: Executor,
  { kind, id }: PersonReference,
): Promise<StoredErasure | undefined> {
  const [found] = await on
    .select()
    .from(erasure)
    .where(kind === 'user' ? eq(erasure.userId, id) : arrayContains(erasure.personIds, [id]))
    .orderBy(desc(erasure.beganAt))
    .limit(1);
  return found;
}

/** Sealed names of people whose rows still contain them. */
export async function findSealedNames(
  on: Executor,
): Promise<Pick<StoredErasure, 'id' | 'userId' | 'sealedNames'>[]> {
  const { id, userId, sealedNames } = getTableColumns(erasure);
  return on
    .select({ id, userId, sealedNames })
    .from(erasure)
    .where(and(isNull(erasure.endedAt), isNotNull(erasure.sealedNames)));
}
