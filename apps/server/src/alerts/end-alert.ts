import type { AlertEndReason } from '@deviceportal/contract/alerts';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { recordAlertEnd } from '../cases/record-alert-end.ts';
import type { Transaction } from '../platform/database/database.ts';
import { resolveAlert } from './data/alert-queries.ts';
import type { StoredRule } from './data/rule-queries.ts';
import { queueDeliveries } from './queue-deliveries.ts';

/** Ends the firing alert of a locked rule, if there is one, and notifies its destinations if they know of its start. */
export async function endAlert(
  tx: Transaction,
  rule: StoredRule,
  end: {
    readonly at: Date;
    readonly reason: AlertEndReason;
    /** Null keeps the last ones. */
    readonly counts: { readonly matching: number; readonly total: number } | null;
  },
): Promise<void> {
  const alert = await resolveAlert(tx, rule.id, end);
  if (alert === undefined) return;
  if (alert.announcedAt !== null) {
    await queueDeliveries(tx, rule, { event: 'resolved', alert, at: end.at, devices: [] });
  }
  const { id: alertId, caseIds, ownerId } = alert;
  if (caseIds.length > 0)
    await recordAlertEnd(tx, { caseIds, alertId, rule: rule.name, ownerId, ...end });
  await recordAudit(tx, [
    {
      type: 'alert.resolved',
      actor: systemActor,
      data: {
        ...{ alertId, ruleId: rule.id, rule: rule.name, reason: end.reason },
        ...{ matching: alert.matching, total: alert.total },
      },
    },
  ]);
}
