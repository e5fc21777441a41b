import type { Transaction } from '../../platform/database/database.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import { waitForAllChanges, waitForChangesOf } from '../data/change-lock-queries.ts';
import { findFirstChosen } from '../data/target-queries.ts';
import type { RunTarget } from '../target/run-target.ts';

/**
 * When two users start a change of one device at the same moment, the second waits until the first has committed, and
 * finds its change. Changes of one device wait for those of the same device only, and for those of many.
 */
export async function waitForOtherChanges(
  tx: Transaction,
  {
    resolved,
    target,
  }: { readonly resolved: Pick<ResolvedCommand, 'consequence'>; readonly target: RunTarget },
): Promise<void> {
  if (resolved.consequence === 'reads') return;
  const [only, ...others] =
    target.kind === 'devices' ? target.deviceIds : await findFirstChosen(tx, target, 2);
  if (only === undefined || others.length > 0) await waitForAllChanges(tx);
  else await waitForChangesOf(tx, only);
}
