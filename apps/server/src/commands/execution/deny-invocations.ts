import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findUnpermitted } from '../data/execution/find-unpermitted.ts';
import { markUnsent, type OpenInvocation } from '../data/execution/open-invocation-queries.ts';
import { endInvocations } from './end-invocations.ts';

/**
 * Ends claimed invocations without permission, and queued invocations of the run without permission: the creator of the
 * run no longer has it.
 */
export async function denyInvocations(
  tx: Transaction,
  runId: string,
  claimed: readonly OpenInvocation[],
): Promise<Change[]> {
  if (claimed.length === 0) return [];
  await markUnsent(
    tx,
    claimed.map(({ id }) => id),
  );
  const waiting = await findUnpermitted(tx, runId, 'unsent');
  return endInvocations(tx, [...claimed, ...waiting], {
    statusDetails: 'Access Denied',
    audit: 'command.terminated',
    actor: systemActor,
    data: { reason: 'right-ended' },
  });
}
