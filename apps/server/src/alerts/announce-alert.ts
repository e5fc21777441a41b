import { ALERT_LIMITS } from '@deviceportal/contract/alerts';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import {
  findLimitingAnnouncement,
  lockAnnouncements,
  markAnnounced,
  type StoredAlert,
} from './data/alert-queries.ts';
import { pauseNotices, type StoredRule } from './data/rule-queries.ts';
import type { CountedDevice } from './find-counted-devices.ts';
import { queueDeliveries } from './queue-deliveries.ts';

const HOUR_MS = 3_600_000;

/**
 * Sends the start of an alert to the destinations of its rule, unless the rule or its owner had too many within an hour.
 * Then it is sent later if the alert is still firing, and its end is not sent without its start.
 */
export async function announceAlert(
  tx: Transaction,
  rule: StoredRule,
  {
    alert,
    at,
    devices,
  }: {
    readonly alert: StoredAlert;
    readonly at: Date;
    readonly devices: readonly CountedDevice[];
  },
): Promise<void> {
  await lockAnnouncements(tx, rule.ownerId);
  const pausedUntil = await findPause(tx, rule, at);
  if (pausedUntil !== null) {
    await pauseNotices(tx, rule.id, pausedUntil);
    const data = { ruleId: rule.id, rule: rule.name, until: pausedUntil.toISOString() };
    await recordAudit(tx, [{ type: 'alert.notices-paused', actor: systemActor, data }]);
    return;
  }
  await queueDeliveries(tx, rule, { event: 'firing', alert, at, devices });
  await markAnnounced(tx, alert.id, at);
  if (rule.noticesPausedUntil !== null) await pauseNotices(tx, rule.id, null);
}

async function findPause(tx: Transaction, rule: StoredRule, at: Date): Promise<Date | null> {
  const since = new Date(at.getTime() - HOUR_MS);
  const most = ALERT_LIMITS.noticesPerHour;
  const limiting = [
    await findLimitingAnnouncement(tx, { ruleId: rule.id }, { since, most: most.rule }),
    await findLimitingAnnouncement(tx, { ownerId: rule.ownerId }, { since, most: most.owner }),
  ].flatMap((found) => found?.getTime() ?? []);
  return limiting.length === 0 ? null : new Date(Math.max(...limiting) + HOUR_MS);
}
