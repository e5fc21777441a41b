import { findingRules } from '@deviceportal/contract/finding-rules';
import type { Finding } from '@deviceportal/contract/findings';
import {
  agentUnsupported,
  behindApproved,
  outsideCountries,
  repeatedFailures,
} from './change-rules.ts';
import { unstableConnection, unusualSilence } from './connection-rules.ts';
import {
  later,
  MINUTE_MS,
  type DeviceFacts,
  type Rule,
  type RuleSettings,
} from './finding-rule.ts';
import { certificateEnding, clockWrong, crashLoop, diskFull } from './health-rules.ts';

/** All rules. */
export const rules: readonly Rule[] = [
  crashLoop,
  diskFull,
  certificateEnding,
  agentUnsupported,
  unusualSilence,
  unstableConnection,
  repeatedFailures,
  clockWrong,
  outsideCountries,
  behindApproved,
];

/** Heartbeats change facts of a degraded device without an event, so it is evaluated again after this time. */
const DEGRADED_AGAIN_MS = 15 * MINUTE_MS;

export interface EvaluatedFindings {
  /** Most severe first. */
  readonly findings: readonly Finding[];
  /** When to evaluate again without an event; null if time alone changes nothing. */
  readonly dueAt: Date | null;
}

/** Evaluates all rules for a device. Only devices in service have findings. */
export function evaluateFindings(
  device: DeviceFacts,
  now: Date,
  settings: RuleSettings,
): EvaluatedFindings {
  if (device.lifecycle !== 'active') return { findings: [], dueAt: null };
  const findings = rules.flatMap((rule): Finding[] => {
    const found = rule.evaluate(device, now, settings);
    if (found === null) return [];
    const { severity, facts, remedy } = found;
    return [
      { rule: rule.code, severity, facts, remedy, since: (found.since ?? now).toISOString() },
    ];
  });
  const evaluationTimes = rules.flatMap((rule) => rule.changesAt(device)).filter((at) => at > now);
  if (device.connectivity === 'degraded') evaluationTimes.push(later(now, DEGRADED_AGAIN_MS));
  const dueMs = Math.min(...evaluationTimes.map((at) => at.getTime()));
  return {
    findings: findings.toSorted(byUrgency),
    dueAt: Number.isFinite(dueMs) ? new Date(dueMs) : null,
  };
}

export function byUrgency(
  one: Pick<Finding, 'rule' | 'severity'>,
  other: Pick<Finding, 'rule' | 'severity'>,
): number {
  if (one.severity !== other.severity) return one.severity === 'error' ? -1 : 1;
  return findingRules.indexOf(one.rule) - findingRules.indexOf(other.rule);
}
