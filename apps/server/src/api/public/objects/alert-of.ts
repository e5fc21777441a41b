import type { AlertRow } from '@deviceportal/contract/alerts';
import type { OperationOutput } from '@deviceportal/contract/public-api';

/** An alert as applications see it. */
export function alertOf(row: AlertRow): OperationOutput<'listAlerts'>['items'][number] {
  const { id, ruleId, ruleName, severity, condition, unit, above, startedAt, resolvedAt } = row;
  const { reason, matching, total, peak, failedDeliveries } = row;
  return {
    ...{ id, severity, unit, above, startedAt, resolvedAt, reason, matching, total, peak },
    ...{ failedDeliveries, rule: { id: ruleId, name: ruleName }, condition: { ...condition } },
  };
}
