import { and, asc, eq, isNull, not, sql } from 'drizzle-orm';
import { isListInOpenRollout } from '../../../air-blast/data/is-list-in-open-rollout.ts';
import { isListInAlertRule } from '../../../alerts/data/is-list-in-alert-rule.ts';
import { isListInSchedule } from '../../../commands/data/is-list-in-schedule.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { columnNames } from '../../../platform/database/column-names.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { jsonArray } from '../../../platform/database/json-rows.ts';
import { scalar } from '../../../platform/database/scalar.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { device, targetList, targetListEntry } from '../devices-tables.ts';
import { reachedBy } from '../find-devices.ts';
import { textArrayParam } from '../search/device-predicate.ts';
import { scopePredicate } from '../search/scope-predicate.ts';
import { d } from '../search/search-rows.ts';
import { isListInView } from './view-queries.ts';

const LISTED_MISSING = 100;
/** Minimum weight of a list, which limits the number of lists to 1,000. */
export const LEAST_WEIGHT = 1_000;
const weight = sql<number>`greatest(${targetList.count}, ${LEAST_WEIGHT})`;

/** Serializes requests of a user that delete lists. */
export async function lockListsOf(tx: Transaction, userId: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`targetListEntries ${userId}`}, 0))`,
  );
}

/** Total weight of a user's lists. */
export async function weighLists(tx: Transaction, userId: string): Promise<number> {
  const [found] = await tx
    .select({ weight: sql<number>`coalesce(sum(${weight}), 0)::int` })
    .from(targetList)
    .where(eq(targetList.createdBy, userId));
  return found?.weight ?? 0;
}

/**
 * Deletes a user's oldest lists that no view, schedule, open rollout, or alert rule uses, until the given weight is freed.
 *
 * @returns the weight of the deleted lists
 */
export async function deleteUnusedLists(
  tx: Transaction,
  userId: string,
  tooMany: number,
): Promise<number> {
  const { id, createdAt } = targetList;
  const listId = sql`${id}`;
  const old = tx
    .select({
      id,
      before: sql<number>`sum(${weight}) over (order by ${createdAt}, ${id}) - ${weight}`.as(
        'before',
      ),
    })
    .from(targetList)
    .where(
      and(
        eq(targetList.createdBy, userId),
        not(isListInView(listId)),
        not(isListInSchedule(listId)),
        not(isListInOpenRollout(listId)),
        not(isListInAlertRule(listId)),
      ),
    )
    .as('old');
  const deleted = await tx
    .delete(targetList)
    .where(
      sql`${id} in ${tx
        .select({ id: old.id })
        .from(old)
        .where(sql`${old.before} < ${tooMany}`)}`,
    )
    .returning({ id, weight });
  await tx.delete(targetListEntry).where(
    isAnyOf(
      targetListEntry.listId,
      deleted.map((list) => list.id),
    ),
  );
  return deleted.reduce((sum, list) => sum + list.weight, 0);
}

export interface NewTargetList {
  readonly id: string;
  readonly name: string;
  readonly viewer: Viewer;
  readonly serialNumbers: readonly string[];
  readonly now: Date;
}

/** Inserts a list. A leading `SN` is removed from a number if only the rest is a device within the viewer's scope. */
export async function insertTargetList(tx: Transaction, list: NewTargetList): Promise<void> {
  const { id, name, viewer, serialNumbers, now } = list;
  // Only devices in the viewer's scope are matched, because the missing entries show how a text was stored.
  const inScope = scopePredicate(viewer.grants, ['devices:read'])?.where ?? sql`true`;
  const { listId, serialNumber } = targetListEntry;
  const { rowCount } = await tx.execute(sql`
    insert into ${targetListEntry} (${columnNames(listId, serialNumber)})
    select distinct ${id}::uuid, coalesce(whole.serial_number, stripped.serial_number, i.piece)
    from unnest(${textArrayParam(serialNumbers)}) as i(piece)
    left join lateral (select ${d.id} as id, ${d.serialNumber} as serial_number from ${device} ${d}
      where ${d.serialNumber} = i.piece and ${inScope}) whole on true
    left join lateral (select ${d.serialNumber} as serial_number from ${device} ${d}
      where whole.id is null and i.piece like 'SN%' and ${d.serialNumber} = substr(i.piece, 3)
        and ${inScope}) stripped on true`);
  await tx
    .insert(targetList)
    .values({ id, name, createdBy: viewer.userId, createdAt: now, count: rowCount ?? 0 });
}

/** A list, and its entries without a device in the viewer's scope. */
export async function findTargetList(on: Executor, viewer: Viewer, id: string) {
  const { serialNumber } = targetListEntry;
  const missing = on.$with('missing').as(
    on
      .select({ serialNumber })
      .from(targetListEntry)
      .leftJoin(
        d,
        and(
          eq(d.serialNumber, serialNumber),
          reachedBy(scopePredicate(viewer.grants, ['devices:read'])),
        ),
      )
      .where(and(eq(targetListEntry.listId, id), isNull(d.id))),
  );
  const listed = on
    .select({ serialNumber: missing.serialNumber })
    .from(missing)
    .orderBy(asc(missing.serialNumber))
    .limit(LISTED_MISSING)
    .as('listed');
  const [found] = await on
    .with(missing)
    .select({
      id: targetList.id,
      name: targetList.name,
      count: targetList.count,
      createdAt: targetList.createdAt,
      createdBy: targetList.createdBy,
      found: sql<number>`${targetList.count} - (select count(*)::int from ${missing})`,
      missing: scalar(on.select({ value: jsonArray(listed.serialNumber) }).from(listed)),
    })
    .from(targetList)
    .where(eq(targetList.id, id));
  return found;
}
