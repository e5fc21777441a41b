import type { z } from 'zod';
import type { AirBlastDetail, startAirBlastStepInput } from '@deviceportal/contract/air-blast';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import { maskUser } from '../../people/mask-person.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import { advanceAirBlast } from './advance-air-blast.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { decide } from '../air-blast-state-machine.ts';
import { lastAttempt, selectSteps } from '../data/step-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import {
  changeProgress,
  holdAirBlast,
  recordAirBlast,
  requireOperator,
  requireRoleInForce,
  stepFailed,
} from '../change-progress.ts';
import { endAirBlastStep } from './end-step.ts';
import { getAirBlast } from '../get-air-blast.ts';
import type { OpenedToken } from './next-step-token.ts';
import { insertAuthorizedStep } from './insert-authorized-step.ts';
import { countDevicesOf, prepareStep } from './prepare-step.ts';

export type StartStep = z.infer<typeof startAirBlastStepInput> & { readonly origin: RequestOrigin };

/**
 * Starts a step with the token that the step before handed on. However often it is asked for, by however many tabs
 * and people: the row of the run is held, and the first one wins.
 *
 * @throws PortalError 2003; 2004 for a token that cannot be read or belongs to another run or step; 1000 for another
 *   person's, or without the role; 8001 when the step was started before; 8000 for one that is past its end or names
 *   another target set; 8002 when a step has failed
 */
export async function startStep(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: StartStep,
): Promise<AirBlastDetail> {
  const token = await deps.tokens.open(input.token);
  const started = await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, input.id);
    requireToken(held, viewer, { token, input, now: deps.clock() });
    requireOperator(held, viewer);
    await requireRoleInForce(deps, held, input.origin);
    await requireTypedCount(tx, held, input);
    return beginStep(tx, deps, { held, viewer, input });
  });
  if (started.state === 'failed') throw await stepFailed(deps.database.orm, started);
  // Sooner than the worker's next round, which does the same.
  if (started.stepState === 'running') await advanceAirBlast(deps, started.id).catch(() => {});
  return getAirBlast(deps, viewer, input.id);
}

/** Which refusal comes first: who asks in vain for what is done shall learn that it is done. */
function requireToken(
  held: AirBlastRecord,
  viewer: Viewer,
  { token, input, now }: { token: OpenedToken; input: StartStep; now: Date },
): void {
  if (token.kind === 'unreadable' || token.claims.runId !== held.id) {
    throw refuse('token-of-other-run', { field: 'token' });
  }
  const { claims } = token;
  if (claims.operatorId !== viewer.userId) {
    throw refuse('token-of-other-user', { facts: { permission: 'air-blast:run' } });
  }
  if (claims.step !== input.step) throw refuse('token-of-other-step', { field: 'token' });
  const outcome = decide(held, { kind: 'start', step: input.step });
  const isDone = 'refusal' in outcome && outcome.refusal === 'already-done';
  const isSame = claims.targetSha256 === held.targetSha256 && claims.revision === held.revision;
  // Told by the state machine, with who and when.
  if (isDone && isSame) return;
  if (!isSame || token.expiresAt <= now) {
    throw refuse(isSame ? 'token-expired' : 'target-set-changed', {
      facts: { step: input.step, expiredAt: token.expiresAt.toISOString() },
    });
  }
}

/** What destroys is confirmed by typing how many devices the step changes. */
async function requireTypedCount(
  tx: Transaction,
  held: AirBlastRecord,
  input: StartStep,
): Promise<void> {
  if (held.consequence !== 'destroys') return;
  const devices = await countDevicesOf(tx, held, input.step);
  if (devices === 0 || input.confirmation.trim() === String(devices)) return;
  throw refuse('device-count-not-typed', { field: 'confirmation', facts: { devices } });
}

/** @throws PortalError 8001 */
async function requireNotDone(
  tx: Transaction,
  held: AirBlastRecord,
  { viewer, step }: { readonly viewer: Viewer; readonly step: StartStep['step'] },
): Promise<void> {
  const outcome = decide(held, { kind: 'start', step });
  if (!('refusal' in outcome) || outcome.refusal !== 'already-done') return;
  const done = (await selectSteps(tx, held)).findLast((one) => one.step === step);
  throw new PortalError('airBlastStepAlreadyDone', {
    facts: {
      step,
      by: done === undefined ? null : maskUser(done.operator, viewer),
      at: (done?.endedAt ?? done?.startedAt)?.toISOString() ?? null,
      current: held.step,
    },
  });
}

async function beginStep(
  tx: Transaction,
  deps: AirBlastDeps,
  { held, viewer, input }: { held: AirBlastRecord; viewer: Viewer; input: StartStep },
): Promise<AirBlastRecord> {
  await requireNotDone(tx, held, { viewer, step: input.step });
  const now = deps.clock();
  // A blast is started anew for those that are left when the failed were left out.
  const attempt = 1 + (await lastAttempt(tx, held, input.step));
  const running = await changeProgress(
    tx,
    held,
    { kind: 'start', step: input.step },
    { attempt, stateReason: '', tokenIssuedAt: null, updatedAt: now },
  );
  const { outcome, waves } = await prepareStep(tx, deps, running);
  await insertAuthorizedStep(tx, deps, { run: running, viewer, waves, now });
  await recordAirBlast(tx, running, {
    type: 'air-blast.step-started',
    actor: actorOf(viewer, input.origin),
    requestId: input.origin.requestId,
    data: { step: input.step, attempt },
  });
  return outcome === null ? running : endAirBlastStep(tx, running, { ...outcome, now });
}
