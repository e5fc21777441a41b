import type { AlertEndReason } from '@deviceportal/contract/alerts';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import { insertEntries } from './data/case-entry-queries.ts';
import { findCaseIds } from './data/find-case-ids.ts';

export interface EndOfAlert {
  readonly caseIds: readonly string[];
  readonly alertId: string;
  readonly rule: string;
  /** The owner of the rule. */
  readonly ownerId: string;
  readonly at: Date;
  readonly reason: AlertEndReason;
}

/** Records the end of an alert in the cases that recorded its start, as far as they still exist. */
export async function recordAlertEnd(
  tx: Transaction,
  { caseIds, alertId, rule, ownerId, at, reason }: EndOfAlert,
): Promise<void> {
  const existing = [...(await findCaseIds(tx, caseIds))];
  await insertEntries(
    tx,
    existing.map((caseId) => ({
      ...{ caseId, at, kind: 'act' as const, actorId: ownerId, actor: systemActor.name },
      data: { type: 'alert.resolved', alertId, rule, reason },
    })),
  );
  await recordAudit(
    tx,
    existing.map((caseId) => ({
      ...{ type: 'case.alert-resolved' as const, actor: systemActor, caseId, at },
      data: { caseId, alertId, rule, reason },
    })),
  );
}
