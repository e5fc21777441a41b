import {
  ALERT_LIMITS,
  type AlertRulePreview,
  type AlertRulePreviewRequest,
} from '@deviceportal/contract/alerts';
import { inTransaction } from '../platform/database/database.ts';
import { sqlStateOf } from '../platform/database/errors/data-exception.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AlertsDeps } from './alerts-deps.ts';
import { readHistoryDeltas } from './data/history-deltas.ts';
import { limitStatements } from './data/limit-statements.ts';
import { measureRule } from './measure-rules.ts';
import { readMetricDeltas } from './read-metric-deltas.ts';
import { simulateRule } from './simulate-rule.ts';

const DAY_MS = 86_400_000;
const LIMIT_MS = 8_000;
/** SQLSTATE `query_canceled`. */
const CANCELED = '57014';

/** How many devices a rule would match now, and when it would have fired in the last days. */
export async function previewRule(
  { database, clock }: Pick<AlertsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  rule: AlertRulePreviewRequest,
): Promise<AlertRulePreview> {
  const to = clock();
  const from = new Date(to.getTime() - ALERT_LIMITS.previewDays * DAY_MS);
  const { watched, counts: now } = await measureRule(database.orm, viewer, { rule, now: to });
  try {
    const deltas = await inTransaction(database, async (tx) => {
      await limitStatements(tx, LIMIT_MS);
      const range = { watched, from, to };
      const { condition } = rule;
      return condition.kind === 'metric'
        ? readMetricDeltas(tx, { ...range, condition, total: now.total })
        : readHistoryDeltas(tx, { ...range, condition });
    });
    const firings = simulateRule(rule, { deltas, total: now.total, from, to });
    return { now, history: { from: from.toISOString(), firings } };
  } catch (error) {
    if (sqlStateOf(error) !== CANCELED) throw error;
    return { now, history: null };
  }
}
