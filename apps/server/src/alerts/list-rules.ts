import type { AlertRuleRow } from '@deviceportal/contract/alerts';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AlertsDeps } from './alerts-deps.ts';
import { currentMaintenance } from './current-maintenance.ts';
import { destinationsOf, listVisibleRules } from './data/rule-queries.ts';
import { maskedDestination } from './destinations/sealed-destination.ts';

/** Visible rules by name, with masked destinations. */
export async function listRules(
  { database, alerts, clock }: Pick<AlertsDeps, 'database' | 'alerts' | 'clock'>,
  viewer: Viewer,
): Promise<AlertRuleRow[]> {
  const on = database.orm;
  const rules = await listVisibleRules(on, viewer);
  const destinations = Map.groupBy(
    await destinationsOf(
      on,
      rules.map(({ rule }) => rule.id),
    ),
    ({ ruleId }) => ruleId,
  );
  const now = clock();
  return rules.map(({ rule, owner }) => {
    const { ownerId, createdAt: _, nextAt: _next, phaseSince: _since, ...row } = rule;
    return {
      ...row,
      owner,
      isOwn: ownerId === viewer.userId,
      mutedUntil: isoOrNull(row.mutedUntil),
      maintenanceUntil: isoOrNull(currentMaintenance(row.maintenance, now)),
      noticesPausedUntil: isoOrNull(row.noticesPausedUntil),
      evaluatedAt: isoOrNull(row.evaluatedAt),
      destinations: (destinations.get(row.id) ?? []).map((each) =>
        maskedDestination(alerts.vault, each),
      ),
    };
  });
}
