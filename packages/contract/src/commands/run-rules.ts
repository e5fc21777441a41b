import { z } from 'zod';
import type { Consequence } from '../access/permissions.ts';
import type { Timestamp } from '../pages.ts';

/** Consequences with a run policy. Read-only commands are never blocked. */
export const guardedConsequences = ['changes', 'disrupts', 'destroys'] as const;
export type GuardedConsequence = (typeof guardedConsequences)[number];

/**
 * What a run requires before it is sent: nothing, approval by a second user, or an AirBlast rollout
 * instead.
 */
export type RunGuard = 'none' | 'second-person' | 'air-blast';

const fromDevices = z.int().min(1).max(10_000_000).nullable();

/** Minimum number of devices for the requirement; null for never. */
export const runRuleSchema = z.object({
  consequence: z.enum(guardedConsequences),
  approvalFrom: fromDevices,
  airBlastFrom: fromDevices,
});
export type RunRule = z.infer<typeof runRuleSchema>;

/**
 * Defaults, as for rollouts: approval for destructive commands and for 100 or more devices. A
 * single device never requires approval.
 */
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
  /** Null for the default rules. */
  readonly changed: { readonly by: string; readonly at: Timestamp } | null;
}

/** A rollout takes precedence, because it has its own approval. */
export function guardOf(rule: RunRule | undefined, devices: number): RunGuard {
  if (rule === undefined) return 'none';
  const holds = (from: number | null): boolean => from !== null && devices >= from;
  if (holds(rule.airBlastFrom)) return 'air-blast';
  return holds(rule.approvalFrom) ? 'second-person' : 'none';
}

export const isGuarded = (consequence: Consequence): consequence is GuardedConsequence =>
  consequence !== 'reads';
