import { alertValue } from '@deviceportal/contract/alerts';
import { nextAlertState, type AlertStep } from './alert-state-machine.ts';
import { currentMaintenance } from './current-maintenance.ts';
import type { StoredRule } from './data/rule-queries.ts';
import type { Measurement } from './measured-rule.ts';

/** From a fact to its notice pass at most 10 s: with the time that counting takes, and the pauses of rounds and deliveries. */
const EVERY_MS = 4_000;
/** Rules that take long are counted less often, so that they use at most half of a connection. */
const REST_FACTOR = 1;

/** The state of a rule after a measurement, and when it is measured again. */
export function nextOfMeasurement(
  rule: StoredRule,
  { counts, tookMs }: Pick<Measurement, 'counts' | 'tookMs'>,
  now: Date,
): { readonly step: AlertStep; readonly nextAt: Date } {
  return {
    step: nextAlertState({ phase: rule.phase, since: rule.phaseSince }, rule, {
      value: alertValue(rule.unit, counts),
      at: now,
      isMuted: isMuted(rule, now),
    }),
    nextAt: new Date(now.getTime() + Math.max(EVERY_MS, tookMs * REST_FACTOR)),
  };
}

const isMuted = ({ mutedUntil, maintenance }: StoredRule, now: Date): boolean =>
  (mutedUntil !== null && mutedUntil > now) || currentMaintenance(maintenance, now) !== null;
