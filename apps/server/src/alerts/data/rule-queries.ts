import { and, asc, desc, eq, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { AlertRuleProblem } from '@deviceportal/contract/alerts';
import { scopesOf } from '@deviceportal/contract/permissions';
import { userNamesAs } from '../../access/data/user-names.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AlertState } from '../alert-state-machine.ts';
import { alertDestination, alertRule } from './alerts-tables.ts';

export type StoredRule = typeof alertRule.$inferSelect;
export type StoredDestination = typeof alertDestination.$inferSelect;
type RuleFields = Omit<
  StoredRule,
  | 'revision'
  | 'createdAt'
  | 'phase'
  | 'phaseSince'
  | 'matching'
  | 'total'
  | 'evaluatedAt'
  | 'nextAt'
  | 'problem'
  | 'mutedUntil'
  | 'noticesPausedUntil'
>;

const owner = userNamesAs('rule_owner');

/** Users who see all devices see all alerts and rules; others see their own, because a rule sees what its owner sees. */
export function seesAllAlerts({ grants }: Viewer): boolean {
  return scopesOf(grants, ['devices:read']).some(isEverywhere);
}

const visibleTo = (viewer: Viewer): SQL | undefined =>
  seesAllAlerts(viewer) ? undefined : eq(alertRule.ownerId, viewer.userId);

export async function insertRule(tx: Transaction, rule: RuleFields): Promise<void> {
  await tx.insert(alertRule).values(rule);
}

/** @param evaluation the state of the evaluation, if it starts again */
export async function updateRule(
  tx: Transaction,
  { id, ...fields }: Partial<RuleFields> & { readonly id: string },
  evaluation?: { readonly at: Date },
): Promise<void> {
  const restarted =
    evaluation === undefined
      ? {}
      : ({ phase: 'ok', phaseSince: evaluation.at, nextAt: evaluation.at, problem: null } as const);
  await tx
    .update(alertRule)
    .set({ ...fields, ...restarted, revision: sql`${alertRule.revision} + 1` })
    .where(eq(alertRule.id, id));
}

export async function deleteRule(tx: Transaction, id: string): Promise<void> {
  await tx.delete(alertDestination).where(eq(alertDestination.ruleId, id));
  await tx.delete(alertRule).where(eq(alertRule.id, id));
}

export async function muteRule(tx: Transaction, id: string, until: Date | null): Promise<void> {
  await tx.update(alertRule).set({ mutedUntil: until }).where(eq(alertRule.id, id));
}

/** A visible rule, locked until the transaction ends; the evaluation skips it. */
export async function lockVisibleRule(
  tx: Transaction,
  viewer: Viewer,
  id: string,
): Promise<StoredRule | undefined> {
  const [rule] = await tx
    .select()
    .from(alertRule)
    .where(and(eq(alertRule.id, id), visibleTo(viewer)))
    .for('update');
  return rule;
}

/** One server at a time counts for rules. @returns false while another one does */
export async function lockRounds(tx: Transaction): Promise<boolean> {
  const [found] = await selectRows(tx, lockList, (list) => sql`select ${list}`);
  return found?.isOurs ?? false;
}

const lockList = selectList({
  isOurs: sql<boolean>`pg_try_advisory_xact_lock(hashtextextended('alert rounds', 0))`,
});

/** The rules that are due, those first that have been due for longest. */
export const findDueRules = (
  on: Executor,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<StoredRule[]> =>
  on
    .select()
    .from(alertRule)
    .where(and(eq(alertRule.enabled, true), lte(alertRule.nextAt, now)))
    .orderBy(asc(alertRule.nextAt))
    .limit(limit);

/**
 * A rule as it was counted, locked until the transaction ends. Undefined if it was changed or evaluated since, or if
 * another transaction has locked it.
 */
export async function lockCountedRule(
  tx: Transaction,
  counted: StoredRule,
): Promise<StoredRule | undefined> {
  const { id, revision, evaluatedAt, enabled } = alertRule;
  const [rule] = await tx
    .select()
    .from(alertRule)
    .where(
      and(
        eq(id, counted.id),
        eq(revision, counted.revision),
        counted.evaluatedAt === null ? isNull(evaluatedAt) : eq(evaluatedAt, counted.evaluatedAt),
        eq(enabled, true),
      ),
    )
    .for('update', { skipLocked: true });
  return rule;
}

export interface Evaluation extends AlertState {
  readonly matching: number | null;
  readonly total: number | null;
  readonly evaluatedAt: Date;
  readonly nextAt: Date;
  readonly problem: AlertRuleProblem | null;
}

export async function saveEvaluation(
  tx: Transaction,
  id: string,
  { since, ...evaluation }: Evaluation,
): Promise<void> {
  await tx
    .update(alertRule)
    .set({ ...evaluation, phaseSince: since })
    .where(eq(alertRule.id, id));
}

/** Saves evaluations of rules that are as they were counted; others, and those that are locked, are left out. */
export async function saveUnchangedEvaluations(
  on: Executor,
  evaluations: readonly {
    readonly rule: StoredRule;
    readonly now: Date;
    readonly nextAt: Date;
    readonly matching: number;
    readonly total: number;
  }[],
): Promise<void> {
  if (evaluations.length === 0) return;
  const given = rowsOf(
    {
      ...({ id: 'uuid', revision: 'integer', evaluated_before: 'timestamptz' } as const),
      ...({ matching: 'integer', total: 'integer' } as const),
      ...({ evaluated_at: 'timestamptz', next_at: 'timestamptz' } as const),
    },
    evaluations.map(({ rule: { id, revision, evaluatedAt }, now, nextAt, matching, total }) => ({
      ...{ id, revision, evaluated_before: evaluatedAt?.toISOString() ?? null, matching, total },
      ...{ evaluated_at: now.toISOString(), next_at: nextAt.toISOString() },
    })),
  );
  const { id, revision, evaluatedAt, enabled } = alertRule;
  await on.execute(sql`
    with free as materialized (
      select ${id} as id from ${alertRule} join ${given} as given on given.id = ${id}
      where given.revision = ${revision} and ${enabled}
        and given.evaluated_before is not distinct from ${evaluatedAt}
      for update of ${alertRule} skip locked)
    update ${alertRule} set matching = given.matching, total = given.total,
      evaluated_at = given.evaluated_at, next_at = given.next_at
    from ${given} as given join free on free.id = given.id where ${id} = given.id`);
}

export async function pauseNotices(tx: Transaction, id: string, until: Date | null): Promise<void> {
  await tx.update(alertRule).set({ noticesPausedUntil: until }).where(eq(alertRule.id, id));
}

/** After an evaluation that failed, so that other rules are evaluated first. */
export async function postponeRule(on: Executor, id: string, nextAt: Date): Promise<void> {
  await on.update(alertRule).set({ problem: 'failed', nextAt }).where(eq(alertRule.id, id));
}

/** Bounded by the growth limit of rules per user. */
const LISTED = 1_000;

export async function listVisibleRules(on: Executor, viewer: Viewer) {
  return on
    .select({ rule: alertRule, owner: owner.username })
    .from(alertRule)
    .leftJoin(owner, eq(owner.userId, alertRule.ownerId))
    .where(visibleTo(viewer))
    .orderBy(asc(sql`lower(${alertRule.name})`), desc(alertRule.id))
    .limit(LISTED);
}

export const rulesOfOwner = (ownerId: string): SQL =>
  sql`select from ${alertRule} where ${eq(alertRule.ownerId, ownerId)}`;

/** The `sub` of an owner. */
export async function findOwnerSubject(on: Executor, ownerId: string): Promise<string | undefined> {
  const [found] = await on
    .select({ subject: owner.subject })
    .from(owner)
    .where(eq(owner.userId, ownerId));
  return found?.subject;
}

export async function destinationsOf(
  on: Executor,
  ruleIds: readonly string[],
): Promise<StoredDestination[]> {
  if (ruleIds.length === 0) return [];
  return on
    .select()
    .from(alertDestination)
    .where(or(...ruleIds.map((id) => eq(alertDestination.ruleId, id))))
    .orderBy(asc(alertDestination.position));
}

/** A destination of a rule of this user. */
export async function findOwnDestination(
  on: Executor,
  { userId }: Viewer,
  id: string,
): Promise<{ readonly destination: StoredDestination; readonly rule: StoredRule } | undefined> {
  const [found] = await on
    .select({ destination: alertDestination, rule: alertRule })
    .from(alertDestination)
    .innerJoin(alertRule, eq(alertRule.id, alertDestination.ruleId))
    .where(and(eq(alertDestination.id, id), eq(alertRule.ownerId, userId)));
  return found;
}

/** Replaces the destinations of a rule; those with a known ID are kept. */
export async function replaceDestinations(
  tx: Transaction,
  ruleId: string,
  destinations: readonly StoredDestination[],
): Promise<void> {
  await tx.delete(alertDestination).where(eq(alertDestination.ruleId, ruleId));
  if (destinations.length > 0) await tx.insert(alertDestination).values([...destinations]);
}
