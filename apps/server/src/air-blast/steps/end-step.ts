import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { endStep } from '../data/step-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import { changeProgress, recordAirBlast } from '../change-progress.ts';
import { handOnToken } from './hand-on-token.ts';
import { nextStepOf } from '../air-blast-state-machine.ts';
import type { StepOutcome } from './prepare-step.ts';
import { tellStepEnded } from '../tell-people.ts';

/** Ends the step under way. One that is done hands on the token of the next, where a person is needed for it. */
export async function endAirBlastStep(
  tx: Transaction,
  held: AirBlastRecord,
  outcome: StepOutcome & { readonly now: Date },
): Promise<AirBlastRecord> {
  const { passed, reason, evidence, now } = outcome;
  const ended = await changeProgress(
    tx,
    held,
    passed ? { kind: 'finish' } : { kind: 'fail', voids: reason === 'plan-changed' },
    {
      stateReason: held.state === 'paused' && passed ? held.stateReason : reason,
      updatedAt: now,
      ...(passed && held.step === 'verify' ? { endedAt: now } : {}),
    },
  );
  await endStep(tx, held, {
    state: passed ? 'done' : 'failed',
    endedAt: now,
    evidence: { ...evidence, ...(reason === '' ? {} : { reason }) },
  });
  await recordAirBlast(tx, ended, {
    type: passed ? 'air-blast.step-finished' : 'air-blast.step-failed',
    actor: systemActor,
    data: { step: held.step, attempt: held.attempt, reason, evidence },
  });
  await tellStepEnded(tx, ended);
  if (nextStepOf(ended) === null) return ended;
  return handOnToken(tx, ended, now);
}
