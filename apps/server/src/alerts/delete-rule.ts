import { PortalError } from '@deviceportal/contract/errors';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { AlertsDeps } from './alerts-deps.ts';
import { deleteRule as deleteStored, lockVisibleRule } from './data/rule-queries.ts';
import { endAlert } from './end-alert.ts';
import { recordRule } from './save-rule.ts';

/**
 * Deletes a rule and ends its firing alert. Users who see all alerts can also delete rules of others.
 * @throws PortalError 2003
 */
export async function deleteRule(
  { database, clock }: Pick<AlertsDeps, 'database' | 'clock'>,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const rule = await lockVisibleRule(tx, caller.viewer, id);
    if (rule === undefined) throw new PortalError('notFound', { facts: { id } });
    await endAlert(tx, rule, { at: clock(), reason: 'rule-deleted', counts: null });
    await deleteStored(tx, id);
    await recordRule(tx, caller, { type: 'alert.rule-deleted', rule });
  });
}
