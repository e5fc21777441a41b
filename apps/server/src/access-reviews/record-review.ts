import type { AuditType } from '@deviceportal/contract/audit-trail';
import { actorOf, recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';

/** Records an act on a review; without a caller, of the server. */
export function recordReview(
  tx: Transaction,
  caller: Caller | undefined,
  type: AuditType,
  events: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const actor = caller === undefined ? systemActor : actorOf(caller.viewer, caller);
  const requestId = caller?.requestId ?? null;
  return recordAudit(
    tx,
    events.map((data) => ({ type, actor, requestId, data })),
  );
}
