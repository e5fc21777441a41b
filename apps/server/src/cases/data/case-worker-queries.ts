import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { caseWorker } from './cases-tables.ts';

const isIn = isNotNull(caseWorker.inSince);

/** In the order in which they joined. */
export async function selectWorkers(on: Executor, caseId: string) {
  return on
    .select({
      userId: caseWorker.userId,
      name: caseWorker.name,
      joinedAt: caseWorker.joinedAt,
      isIn: sql<boolean>`${isIn}`,
    })
    .from(caseWorker)
    .where(eq(caseWorker.caseId, caseId))
    .orderBy(asc(caseWorker.joinedAt), asc(caseWorker.userId));
}

/** Makes a case the only one that the viewer works in. True if they have never worked in it before. */
export async function setActiveCase(
  tx: Executor,
  viewer: Viewer,
  { caseId, at }: { readonly caseId: string; readonly at: Date },
): Promise<boolean> {
  const { userId, displayName: name } = viewer;
  // Two tabs can do this at the same time for different cases.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`case-worker ${userId}`}, 0))`,
  );
  await clearActiveCase(tx, userId);
  const [put] = await tx
    .insert(caseWorker)
    .values({ caseId, userId, name, joinedAt: at, inSince: at })
    .onConflictDoUpdate({
      target: [caseWorker.caseId, caseWorker.userId],
      set: { inSince: excluded(caseWorker.inSince), name: excluded(caseWorker.name) },
    })
    .returning({ fresh: sql<boolean>`xmax = 0` });
  return put?.fresh ?? false;
}

/** Adds a user to a case without making it the one that they work in. */
export async function joinCase(
  on: Executor,
  { userId, displayName: name }: Viewer,
  { caseId, at }: { readonly caseId: string; readonly at: Date },
): Promise<void> {
  await on
    .insert(caseWorker)
    .values({ caseId, userId, name, joinedAt: at, inSince: null })
    .onConflictDoNothing();
}

/** Ends the user's work in their current case and returns its ID. */
export async function clearActiveCase(on: Executor, userId: string): Promise<string | null> {
  const [left] = await on
    .update(caseWorker)
    .set({ inSince: null })
    .where(and(eq(caseWorker.userId, userId), isIn))
    .returning({ id: caseWorker.caseId });
  return left?.id ?? null;
}

export async function clearActiveCaseOfAll(tx: Executor, caseId: string): Promise<void> {
  await tx
    .update(caseWorker)
    .set({ inSince: null })
    .where(and(eq(caseWorker.caseId, caseId), isIn));
}

export async function findActiveCaseId(on: Executor, userId: string): Promise<string | null> {
  const [found] = await on
    .select({ id: caseWorker.caseId })
    .from(caseWorker)
    .where(and(eq(caseWorker.userId, userId), isIn));
  return found?.id ?? null;
}
