import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import { chosenIds, type RunTarget } from '../target/target-store.ts';

/**
 * Two people who start a change of one device at the same moment: the second waits for the first, and sees it then.
 * Changes of one device each wait for those of the same device only, and for those of many.
 */
export async function standInLine(
  tx: Transaction,
  {
    resolved,
    target,
  }: { readonly resolved: Pick<ResolvedCommand, 'consequence'>; readonly target: RunTarget },
): Promise<void> {
  if (resolved.consequence === 'reads') return;
  const [only, ...others] = await firstTwo(tx, target);
  if (only === undefined || others.length > 0) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('change-devices'))`);
    return;
  }
  await tx.execute(sql`
    select pg_advisory_xact_lock_shared(hashtext('change-devices')),
           pg_advisory_xact_lock(hashtext('change-device'), hashtext(${only.toLowerCase()}))`);
}

async function firstTwo(tx: Transaction, target: RunTarget): Promise<readonly string[]> {
  if (target.kind === 'devices') return target.deviceIds;
  const { rows } = await tx.execute<{ id: string }>(sql`${chosenIds(target)} limit 2`);
  return rows.map(({ id }) => id);
}
