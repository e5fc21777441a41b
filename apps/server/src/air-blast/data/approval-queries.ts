import { asc, eq, sql, type SQLWrapper } from 'drizzle-orm';
import { except, QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import type { PlanKey } from './air-blast-record.ts';
import { airBlastApproval } from './air-blast-tables.ts';
import { targetSet } from './targets/target-set-queries.ts';

export type ApprovalRow = typeof airBlastApproval.$inferSelect;

/** Devices that are named on each side of a comparison. */
const MAX_NAMED = 10;

const build = new QueryBuilder();

export async function insertApproval(
  tx: Transaction,
  row: typeof airBlastApproval.$inferInsert,
): Promise<void> {
  await tx.insert(airBlastApproval).values(row);
}

export async function selectApprovals(on: Executor, id: string): Promise<ApprovalRow[]> {
  return on
    .select()
    .from(airBlastApproval)
    .where(eq(airBlastApproval.airBlastId, id))
    .orderBy(asc(airBlastApproval.at));
}

/** Compares the target set of a plan with the devices of an approval. Only devices in scope are named. */
export async function compareWithApproval(
  on: Executor,
  plan: PlanKey,
  { approvalId, scopes }: { readonly approvalId: string; readonly scopes: readonly Scope[] },
) {
  const approved = build.$with('approved').as(
    build
      .select({ id: sql<string>`unnest(${airBlastApproval.deviceIds})`.as('approved_id') })
      .from(airBlastApproval)
      .where(eq(airBlastApproval.id, approvalId)),
  );
  const present = build.$with('present').as(targetSet(plan));
  // `except` changes its first query, so each use needs a new one.
  const ofApproved = () => on.select({ id: approved.id }).from(approved);
  const ofPresent = () => on.select({ id: present.id }).from(present);
  const added = build.$with('added').as(except(ofPresent(), ofApproved()));
  const removed = build.$with('removed').as(except(ofApproved(), ofPresent()));
  const countOf = (which: SQLWrapper) => sql<number>`(select count(*)::int from ${which})`;
  const namesOf = (which: typeof added | typeof removed) =>
    sql<string[]>`array(${build
      .select({
        label: sql<string>`coalesce(${deviceRecords.serialNumber}, ${deviceRecords.name})`,
      })
      .from(which)
      .innerJoin(deviceRecords, eq(deviceRecords.deviceId, which.id))
      .where(deviceScopeCondition(scopes, deviceRecords))
      .orderBy(sql`1`)
      .limit(MAX_NAMED)})`;
  const [difference] = await on
    .with(approved, present, added, removed)
    .select({
      added: countOf(added),
      removed: countOf(removed),
      addedDevices: namesOf(added),
      removedDevices: namesOf(removed),
    })
    .from(sql`(select) as one`);
  if (difference === undefined) throw new Error('a count without rows');
  return difference;
}
