import { newId } from '@deviceportal/contract/ids';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { WatchedDevices } from '../devices/data/search/watched-devices.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { announceAlert } from './announce-alert.ts';
import {
  findFiringAlert,
  insertAlert,
  updateFiringAlert,
  type StoredAlert,
} from './data/alert-queries.ts';
import { lockCountedRule, saveEvaluation, type StoredRule } from './data/rule-queries.ts';
import { endAlert } from './end-alert.ts';
import { findCountedDevices } from './find-counted-devices.ts';
import type { MeasuredRule } from './measured-rule.ts';
import type { Counts } from './measure-rules.ts';
import { nextOfMeasurement } from './next-of-measurement.ts';
import { openAlertCases } from './open-alert-cases.ts';

/** Rules without an owner who may have them are checked less often. */
const STOPPED_EVERY_MS = 30_000;
/**
 * Changes the state of a rule, unless the rule was changed or evaluated after it was counted. A state change is written
 * with its alert, its deliveries, and its audit event in the same transaction.
 */
export async function applyMeasurement(
  tx: Transaction,
  { rule: counted, now, measurement }: MeasuredRule,
): Promise<void> {
  const rule = await lockCountedRule(tx, counted);
  if (rule === undefined) return;
  if (measurement === null) return stopRule(tx, rule, now);
  const { owner, counts, watched } = measurement;
  const { step, nextAt } = nextOfMeasurement(rule, measurement, now);
  if (step.change === 'fire') await fire(tx, rule, { owner, now, counts, watched });
  else if (step.change === 'resolve') {
    await endAlert(tx, rule, { at: now, reason: 'recovered', counts });
  } else if (step.phase === 'firing' || step.phase === 'recovering') {
    await updateFiringAlert(tx, rule.id, counts);
    if (rule.noticesPausedUntil !== null && rule.noticesPausedUntil <= now) {
      await announceLate(tx, rule, { now, watched });
    }
  }
  await saveEvaluation(tx, rule.id, {
    ...{ phase: step.phase, since: step.since, problem: null, evaluatedAt: now },
    ...counts,
    nextAt,
  });
}

/** Sends the start of an alert that was not sent before, because there were too many. */
async function announceLate(
  tx: Transaction,
  rule: StoredRule,
  { now, watched }: Pick<Fired, 'now' | 'watched'>,
): Promise<void> {
  const alert = await findFiringAlert(tx, rule.id);
  if (alert === undefined || alert.announcedAt !== null) return;
  const devices = await findCountedDevices(tx, rule, { watched, at: now });
  await announceAlert(tx, rule, { alert, at: now, devices });
}

interface Fired {
  readonly owner: Viewer;
  readonly now: Date;
  readonly counts: Counts;
  readonly watched: WatchedDevices;
}

async function fire(
  tx: Transaction,
  rule: StoredRule,
  { owner, now, counts, watched }: Fired,
): Promise<void> {
  const { filter, condition, unit, above, severity, ownerId } = rule;
  const alert: StoredAlert = {
    ...{ id: newId(), ruleId: rule.id, ownerId, ruleName: rule.name },
    ...{ severity, filter, condition, unit, above, startedAt: now },
    ...{ ...counts, peak: counts.matching },
    ...{ announcedAt: null, resolvedAt: null, reason: null, caseIds: [] },
  };
  await insertAlert(tx, alert);
  const devices = await findCountedDevices(tx, rule, { watched, at: now });
  if (rule.opensCase) await openAlertCases(tx, owner, { alert, devices });
  await announceAlert(tx, rule, { alert, at: now, devices });
  await recordAudit(tx, [
    {
      type: 'alert.fired',
      actor: systemActor,
      data: { alertId: alert.id, ruleId: rule.id, rule: rule.name, severity, ...counts },
    },
  ]);
}

async function stopRule(tx: Transaction, rule: StoredRule, now: Date): Promise<void> {
  if (rule.problem !== 'owner') {
    await endAlert(tx, rule, { at: now, reason: 'owner-lost-access', counts: null });
    await recordAudit(tx, [
      {
        type: 'alert.rule-stopped',
        actor: systemActor,
        data: { ruleId: rule.id, rule: rule.name },
      },
    ]);
  }
  await saveEvaluation(tx, rule.id, {
    ...{ phase: 'ok', since: now, matching: null, total: null, evaluatedAt: now },
    ...{ problem: 'owner', nextAt: new Date(now.getTime() + STOPPED_EVERY_MS) },
  });
}
