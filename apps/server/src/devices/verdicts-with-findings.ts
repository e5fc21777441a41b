import type { Verdict } from '@deviceportal/contract/devices';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { Finding } from '@deviceportal/contract/findings';
import { byUrgency } from './by-urgency.ts';

/** The verdicts that a finding replaces, and the failing check that need not be repeated. */
const covered: Partial<
  Record<FindingRule, { readonly code?: Verdict['code']; readonly part?: string }>
> = {
  'unusual-silence': { code: 'offline' },
  'certificate-ending': { code: 'certificate-ending', part: 'certificate' },
  'repeated-failures': { code: 'last-command-failed' },
  'disk-full': { part: 'disk' },
  'clock-wrong': { part: 'clock' },
  'crash-loop': { part: 'service' },
};

/** Combines findings and verdicts, most urgent first; `healthy` only if there are neither. */
export function verdictsWithFindings(
  verdicts: readonly Verdict[],
  findings: readonly Finding[],
): Verdict[] {
  if (findings.length === 0) return [...verdicts];
  const left = verdicts.filter(
    (verdict) =>
      verdict.code !== 'healthy' && !findings.some(({ rule }) => isCovered(verdict, rule)),
  );
  return [...findings.map(toVerdict), ...left].toSorted(byUrgency);
}

function isCovered(verdict: Verdict, rule: FindingRule): boolean {
  const better = covered[rule];
  if (better === undefined) return false;
  if (better.code === verdict.code) return true;
  return verdict.code === 'degraded' && better.part === verdict.facts['part'];
}

function toVerdict({ rule, severity, facts, since, remedy }: Finding): Verdict {
  return {
    code: rule,
    severity,
    facts,
    since,
    suggestedCommand: remedy?.command ?? null,
    parameters: remedy?.parameters ?? {},
  };
}
