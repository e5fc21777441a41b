import { sql } from 'drizzle-orm';
import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';
import { endInvocations, type OpenInvocation } from './end-invocations.ts';
import { findBeyondRight } from './find-beyond-right.ts';

/**
 * Ends what was claimed and may not be sent, and with it what else of the run waits without a right: the person who made
 * the run holds it no more.
 */
export async function denyInvocations(
  tx: Transaction,
  runId: string,
  claimed: readonly OpenInvocation[],
): Promise<Change[]> {
  if (claimed.length === 0) return [];
  const ids = arrayOf(
    'uuid',
    claimed.map(({ id }) => id),
  );
  await tx.execute(sql`update invocation set sent_at = null where id = any(${ids})`);
  const waiting = await findBeyondRight(tx, runId, sql`i.state in ('Pending', 'Delayed')`);
  return endInvocations(tx, [...claimed, ...waiting], {
    statusDetails: 'Access Denied',
    audit: 'command.terminated',
    actor: systemActor,
    data: { reason: 'right-ended' },
  });
}
