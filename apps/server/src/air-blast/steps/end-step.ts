import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { endStep } from '../data/step-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import { changeProgress, recordAirBlast } from '../change-progress.ts';
import { markTokenIssued } from './mark-token-issued.ts';
import { nextStepOf } from '../air-blast-state-machine.ts';
import type { StepOutcome } from './prepare-step.ts';
import { notifyStepEnded } from '../notify-users.ts';

/** Ends the running step. If it passed, the token of the next step is issued. */
export async function endAirBlastStep(
  tx: Transaction,
  locked: AirBlastRecord,
  outcome: StepOutcome & { readonly now: Date },
): Promise<AirBlastRecord> {
  const { passed, reason, evidence, now } = outcome;
  const ended = await changeProgress(
    tx,
    locked,
    passed ? { kind: 'finish' } : { kind: 'fail', voids: reason === 'plan-changed' },
    {
      stateReason: locked.state === 'paused' && passed ? locked.stateReason : reason,
      updatedAt: now,
      ...(passed && locked.step === 'verify' ? { endedAt: now } : {}),
    },
  );
  await endStep(tx, locked, {
    state: passed ? 'done' : 'failed',
    endedAt: now,
    evidence: { ...evidence, ...(reason === '' ? {} : { reason }) },
  });
  await recordAirBlast(tx, ended, {
    type: passed ? 'air-blast.step-finished' : 'air-blast.step-failed',
    actor: systemActor,
    data: { step: locked.step, attempt: locked.attempt, reason, evidence },
  });
  await notifyStepEnded(tx, ended);
  if (nextStepOf(ended) === null) return ended;
  return markTokenIssued(tx, ended, now);
}
