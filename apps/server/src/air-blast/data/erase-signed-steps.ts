import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import { airBlast, airBlastStep } from './air-blast-tables.ts';

/** Erases the signed authorizations of ended rollouts: they name their operators and are no longer checked. */
export async function eraseSignedSteps(tx: Transaction, userId: string): Promise<void> {
  const ended = new QueryBuilder()
    .select({ id: airBlast.id })
    .from(airBlast)
    .where(isNotNull(airBlast.endedAt));
  await tx
    .update(airBlast)
    .set({ authorization: null })
    .where(and(eq(airBlast.createdById, userId), isNotNull(airBlast.endedAt)));
  await tx
    .update(airBlastStep)
    .set({ authorization: null })
    .where(and(eq(airBlastStep.operatorId, userId), inArray(airBlastStep.airBlastId, ended)));
}
