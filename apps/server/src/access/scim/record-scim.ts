import type { AuditType } from '@deviceportal/contract/audit-trail';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';

/** Records an act of a directory, or on its connection. */
export function recordScim(
  tx: Transaction,
  caller: Caller,
  type: AuditType,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAudit(tx, [
    { type, actor: actorOf(caller.viewer, caller), requestId: caller.requestId, data },
  ]);
}
