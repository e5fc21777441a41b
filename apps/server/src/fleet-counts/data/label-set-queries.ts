import { eq, inArray, sql } from 'drizzle-orm';
import { scopesInUse } from '../../access/data/scopes-in-use.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countedLabelSet, fleetCount, fleetFindingCount } from './fleet-counts-tables.ts';

/** Sets above this number are not counted: screens of their users count devices one by one. */
const MOST_SETS = 64;

/**
 * Makes the label sets those of the scopes in use.
 *
 * @returns whether devices have to be counted under other sets than before
 */
export async function updateLabelSets(tx: Transaction): Promise<boolean> {
  const { labels, isUsed } = countedLabelSet;
  const wanted = sql`(select '{}'::jsonb as labels union select coalesce(${scopesInUse.scope} -> 'labels', '{}') from ${scopesInUse}
    order by labels limit ${MOST_SETS})`;
  const added = await tx.execute(sql`
    insert into ${countedLabelSet} (${columnNames(labels)})
    select labels from ${wanted} wanted
    where not exists (select from ${countedLabelSet} where ${isUsed} and ${labels} = wanted.labels)
    on conflict (${columnNames(labels)}) do update set ${columnNames(isUsed)} = true`);
  const dropped = await tx
    .update(countedLabelSet)
    .set({ isUsed: false, isCounted: false })
    .where(sql`${isUsed} and ${labels} <> all(array${wanted})`)
    .returning({ id: countedLabelSet.id });
  return (added.rowCount ?? 0) + dropped.length > 0;
}

/** After all devices have been counted: sets in use are counted completely, and others no longer contain a device. */
export async function completeLabelSets(tx: Transaction): Promise<void> {
  const { id, isUsed } = countedLabelSet;
  const unused = tx.select({ id }).from(countedLabelSet).where(eq(isUsed, false));
  await tx.delete(fleetCount).where(inArray(fleetCount.labelSet, unused));
  await tx.delete(fleetFindingCount).where(inArray(fleetFindingCount.labelSet, unused));
  await tx.delete(countedLabelSet).where(eq(isUsed, false));
  await tx
    .update(countedLabelSet)
    .set({ isCounted: true })
    .where(eq(countedLabelSet.isCounted, false));
}
