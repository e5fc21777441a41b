import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { markUnsent, type OpenInvocation } from '../data/execution/open-invocation-queries.ts';
import { endInvocations } from './end-invocations.ts';

/** Ends claimed invocations that the agents of their devices cannot run. */
export async function refuseOutdatedAgents(
  tx: Transaction,
  claimed: readonly OpenInvocation[],
): Promise<Change[]> {
  if (claimed.length === 0) return [];
  await markUnsent(
    tx,
    claimed.map(({ id }) => id),
  );
  return endInvocations(tx, claimed, {
    statusDetails: 'Undeliverable',
    audit: 'command.terminated',
    actor: systemActor,
    data: { reason: 'agent-outdated' },
  });
}
