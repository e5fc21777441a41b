import { and, asc, eq, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm';
import { QueryBuilder, union } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import type { AirBlastRecord, NewAirBlast } from './air-blast-record.ts';
import { airBlast, airBlastWave } from './air-blast-tables.ts';
import { isRolloutWithin } from './is-rollout-within.ts';

const build = new QueryBuilder();

/** False if the user has already planned a rollout with this key. */
export async function insertAirBlast(tx: Transaction, row: NewAirBlast): Promise<boolean> {
  const inserted = await tx
    .insert(airBlast)
    .values(row)
    .onConflictDoNothing({ target: [airBlast.createdById, airBlast.idempotencyKey] })
    .returning({ id: airBlast.id });
  return inserted.length === 1;
}

export async function findIdByKey(
  on: Executor,
  createdById: string,
  idempotencyKey: string,
): Promise<string | undefined> {
  const [found] = await on
    .select({ id: airBlast.id })
    .from(airBlast)
    .where(and(eq(airBlast.createdById, createdById), eq(airBlast.idempotencyKey, idempotencyKey)));
  return found?.id;
}

/** A query of the rollouts of an operator that have not ended, except the one with this key. */
export const openRolloutsOf = (operatorId: string, exceptKey: string) =>
  build
    .select({ id: airBlast.id })
    .from(airBlast)
    .where(
      and(
        eq(airBlast.operatorId, operatorId),
        notInArray(airBlast.state, ['done', 'aborted']),
        or(ne(airBlast.createdById, operatorId), ne(airBlast.idempotencyKey, exceptKey)),
      ),
    );

export async function countOpenRollouts(on: Executor, operatorId: string): Promise<number> {
  return on.$count(
    airBlast,
    and(eq(airBlast.operatorId, operatorId), notInArray(airBlast.state, ['done', 'aborted'])),
  );
}

const isVisible = (id: string, scopes: readonly Scope[] | 'all') =>
  and(eq(airBlast.id, id), scopes === 'all' ? undefined : isRolloutWithin(scopes));

/** @param scopes where the caller can see devices; `all` for the server itself */
export async function findAirBlast(
  on: Executor,
  id: string,
  scopes: readonly Scope[] | 'all',
): Promise<AirBlastRecord | undefined> {
  const [found] = await on.select().from(airBlast).where(isVisible(id, scopes));
  return found;
}

/** Like `findAirBlast`, locked until the transaction ends. */
export async function lockAirBlast(
  tx: Transaction,
  id: string,
  scopes: readonly Scope[] | 'all',
): Promise<AirBlastRecord | undefined> {
  const [found] = await tx.select().from(airBlast).where(isVisible(id, scopes)).for('update');
  return found;
}

export async function updateAirBlast(
  tx: Transaction,
  id: string,
  patch: Partial<AirBlastRecord>,
): Promise<void> {
  await tx.update(airBlast).set(patch).where(eq(airBlast.id, id));
}

/** Rollouts with a running step, and aborted ones with an open wave. */
export async function selectActiveIds(on: Executor): Promise<string[]> {
  const running = on
    .select({ id: airBlast.id })
    .from(airBlast)
    .where(and(eq(airBlast.stepState, 'running'), ne(airBlast.state, 'failed')));
  const aborted = on
    .select({ id: airBlastWave.airBlastId })
    .from(airBlastWave)
    .innerJoin(airBlast, eq(airBlast.id, airBlastWave.airBlastId))
    .where(
      and(
        eq(airBlast.state, 'aborted'),
        isNotNull(airBlastWave.openedAt),
        isNull(airBlastWave.endedAt),
      ),
    );
  const rows = await union(running, aborted).orderBy(asc(sql.identifier('id')));
  return rows.map(({ id }) => id);
}
