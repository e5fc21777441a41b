import { z } from 'zod';
import type { Consequence } from '../access/permissions.ts';
import type { Timestamp } from '../pages.ts';

/** What reads is never held up. */
export const guardedConsequences = ['changes', 'disrupts', 'destroys'] as const;
export type GuardedConsequence = (typeof guardedConsequences)[number];

/** What a run needs before anything is sent: nothing more, a second person, or an AirBlast rollout in its place. */
export type RunGuard = 'none' | 'second-person' | 'air-blast';

const fromDevices = z.int().min(1).max(10_000_000).nullable();

/** From so many devices on; null never. */
export const runRuleSchema = z.object({
  consequence: z.enum(guardedConsequences),
  approvalFrom: fromDevices,
  airBlastFrom: fromDevices,
});
export type RunRule = z.infer<typeof runRuleSchema>;

/** As for rollouts: a second person for what destroys, and for 100 devices or more. One device never needs one. */
export const defaultRunRules: readonly RunRule[] = [
  { consequence: 'changes', approvalFrom: 100, airBlastFrom: null },
  { consequence: 'disrupts', approvalFrom: 100, airBlastFrom: null },
  { consequence: 'destroys', approvalFrom: 2, airBlastFrom: null },
];

export const saveRunRulesInput = z.object({
  rules: z
    .array(runRuleSchema)
    .length(guardedConsequences.length)
    .refine(
      (rules) => new Set(rules.map(({ consequence }) => consequence)).size === rules.length,
      'name every class once',
    ),
});

export interface RunRules {
  readonly rules: readonly RunRule[];
  /** Null while the defaults hold. */
  readonly changed: { readonly by: string; readonly at: Timestamp } | null;
}

/** A rollout takes precedence: it has an approval of its own. */
export function guardOf(rule: RunRule | undefined, devices: number): RunGuard {
  if (rule === undefined) return 'none';
  const holds = (from: number | null): boolean => from !== null && devices >= from;
  if (holds(rule.airBlastFrom)) return 'air-blast';
  return holds(rule.approvalFrom) ? 'second-person' : 'none';
}

export const isGuarded = (consequence: Consequence): consequence is GuardedConsequence =>
  consequence !== 'reads';
