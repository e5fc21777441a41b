import { and, asc, eq, sql } from 'drizzle-orm';
import type { AirBlastStep } from '@deviceportal/contract/air-blast';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import type { PlanKey, StepAttempt } from './air-blast-record.ts';
import { airBlastStep } from './air-blast-tables.ts';

export type StepRow = typeof airBlastStep.$inferSelect;
export type NewStep = typeof airBlastStep.$inferInsert;

const isAttempt = ({ id, revision, step, attempt }: StepAttempt) =>
  and(
    eq(airBlastStep.airBlastId, id),
    eq(airBlastStep.revision, revision),
    eq(airBlastStep.step, step),
    eq(airBlastStep.attempt, attempt),
  );

export async function insertStep(tx: Transaction, row: NewStep): Promise<void> {
  await tx.insert(airBlastStep).values(row);
}

export async function endStep(
  tx: Transaction,
  attempt: StepAttempt,
  patch: Pick<StepRow, 'state' | 'endedAt' | 'evidence'>,
): Promise<void> {
  await tx.update(airBlastStep).set(patch).where(isAttempt(attempt));
}

/** Adds to the evidence of a step that has ended. */
export async function addStepEvidence(
  tx: Transaction,
  attempt: StepAttempt,
  evidence: StepRow['evidence'],
): Promise<void> {
  await tx
    .update(airBlastStep)
    .set({ evidence: sql`${airBlastStep.evidence} || ${JSON.stringify(evidence)}::jsonb` })
    .where(isAttempt(attempt));
}

/** All attempts of all steps of a plan, in order. */
export async function selectSteps(on: Executor, { id, revision }: PlanKey): Promise<StepRow[]> {
  return on
    .select()
    .from(airBlastStep)
    .where(and(eq(airBlastStep.airBlastId, id), eq(airBlastStep.revision, revision)))
    .orderBy(asc(airBlastStep.startedAt), asc(airBlastStep.attempt));
}

/** The number of attempts of a step in a plan. */
export async function lastAttempt(
  on: Executor,
  plan: PlanKey,
  step: AirBlastStep,
): Promise<number> {
  const steps = await selectSteps(on, plan);
  return Math.max(0, ...steps.filter((one) => one.step === step).map(({ attempt }) => attempt));
}

/** The users who planned or operated a rollout in any of its plans. */
export async function selectOperatorIds(on: Executor, id: string): Promise<string[]> {
  const rows = await on
    .selectDistinct({ operatorId: airBlastStep.operatorId })
    .from(airBlastStep)
    .where(eq(airBlastStep.airBlastId, id));
  return rows.map(({ operatorId }) => operatorId);
}
