import type { Transaction } from '../../platform/database/database.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import { waitForAllChanges, waitForChangesOf } from '../data/change-lock-queries.ts';
import { findFirstChosen } from '../data/target-queries.ts';
import type { RunTarget } from '../target/run-target.ts';

/**
 * Serializes concurrent changes: a second change of a device waits until the first has committed, and then sees it.
 * Changes of one device wait only for changes of the same device and of many devices.
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
