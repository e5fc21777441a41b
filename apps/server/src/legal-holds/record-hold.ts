import type { AuditType } from '@deviceportal/contract/audit-trail';
import { actorOf, recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { StoredHold } from './data/hold-queries.ts';

/** Records an act on a hold; without a caller, of the server. */
export function recordHold(
  tx: Transaction,
  caller: Caller | undefined,
  type: AuditType,
  { id, name, ...data }: Pick<StoredHold, 'id' | 'name'> & Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAudit(tx, [
    {
      type,
      actor: caller === undefined ? systemActor : actorOf(caller.viewer, caller),
      requestId: caller?.requestId ?? null,
      data: { holdId: id, hold: name, ...data },
    },
  ]);
}
