import type { AlertRow } from '@deviceportal/contract/alerts';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { Handlers } from '../operation-call.ts';

export const alertHandlers: Handlers<'listAlerts'> = {
  async listAlerts({ portal, query: { state, pageSize, cursor = null } }) {
    const { rows, nextCursor } = await portal.alerts.list({ state, pageSize, cursor });
    return { items: rows.map(alertOf), nextCursor };
  },
};

function alertOf(row: AlertRow): OperationOutput<'listAlerts'>['items'][number] {
  const { id, ruleId, ruleName, severity, condition, unit, above, startedAt, resolvedAt } = row;
  const { reason, matching, total, peak, failedDeliveries } = row;
  return {
    ...{ id, severity, unit, above, startedAt, resolvedAt, reason, matching, total, peak },
    ...{ failedDeliveries, rule: { id: ruleId, name: ruleName }, condition: { ...condition } },
  };
}
