import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { actorOf, recordAudit } from './record-audit.ts';

/**
 * Records a change of the caller's own settings, in the transaction of that change. It never belongs to the case that the
 * caller works in.
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
