import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { actorOf, recordAudit } from './record-audit.ts';

/**
 * Puts a change of somebody's own settings on the trail, in the transaction of that change. It belongs to no case,
 * whichever one they work in meanwhile.
 */
export async function recordSettings(
  tx: Transaction,
  caller: Caller,
  type: Extract<AuditType, `settings.${string}`>,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const actor = actorOf(caller.viewer, { ...caller, caseId: null });
  await recordAudit(tx, [{ type, actor, requestId: caller.requestId, data }]);
}
