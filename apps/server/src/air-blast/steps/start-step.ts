import type { z } from 'zod';
import type { AirBlastDetail, startAirBlastStepInput } from '@deviceportal/contract/air-blast';
import { PortalError } from '@deviceportal/contract/errors';
import { mustTypeCount } from '@deviceportal/contract/air-blast-typed-count';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import { requireStepUpToDestroy } from '../../commands/step-up-when-destroying.ts';
import { findConsequence } from '../data/find-consequence.ts';
import { maskUser } from '../../people/mask-person.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import { advanceAirBlast } from './advance-air-blast.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { decide } from '../air-blast-state-machine.ts';
import { lastAttempt, selectSteps } from '../data/step-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import {
  changeProgress,
  requireLockedAirBlast,
  recordAirBlast,
  requireOperator,
  requireActiveRole,
  stepFailed,
} from '../change-progress.ts';
import { endAirBlastStep } from './end-step.ts';
import { getAirBlast } from '../get-air-blast.ts';
import type { OpenedToken } from './next-step-token.ts';
import { insertAuthorizedStep } from './insert-authorized-step.ts';
import { countDevicesOf, prepareStep } from './prepare-step.ts';

export type StartStep = z.infer<typeof startAirBlastStepInput> & { readonly origin: RequestOrigin };

/**
 * Starts a step with the token that the previous step issued. The rollout's row is locked, so only the first of
 * concurrent requests starts it.
 *
 * @throws PortalError 2003; 2004 for an unreadable token, or one of another rollout or step; 1000 for another user's
 *   token, or without the role; 8001 if the step was started before; 8000 for an expired token, or one of another
 *   target set; 8002 if a step has failed
 */
export async function startStep(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: StartStep,
): Promise<AirBlastDetail> {
  await requireStepUpToDestroy(input.origin, await findConsequence(deps.database.orm, input.id));
  const token = await deps.tokens.open(input.token);
  const started = await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, input.id);
    requireToken(locked, viewer, { token, input, now: deps.clock() });
    requireOperator(locked, viewer);
    await requireActiveRole(deps, locked, input.origin);
    await requireTypedCount(tx, locked, input);
    return beginStep(tx, deps, { locked, viewer, input });
  });
  if (started.state === 'failed') throw await stepFailed(deps.database.orm, started);
  // The worker does the same in its next pass, but later.
  if (started.stepState === 'running') await advanceAirBlast(deps, started.id).catch(() => {});
  return getAirBlast(deps, viewer, input.id);
}

/** Checks a token. For a step that was started before, that is reported instead of an expired token. */
function requireToken(
  locked: AirBlastRecord,
  viewer: Viewer,
  { token, input, now }: { token: OpenedToken; input: StartStep; now: Date },
): void {
  if (token.kind === 'unreadable' || token.claims.runId !== locked.id) {
    throw refuse('token-of-other-run', { field: 'token' });
  }
  const { claims } = token;
  if (claims.operatorId !== viewer.userId) {
    throw refuse('token-of-other-user', { facts: { permission: 'air-blast:run' } });
  }
  if (claims.step !== input.step) throw refuse('token-of-other-step', { field: 'token' });
  const outcome = decide(locked, { kind: 'start', step: input.step });
  const isDone = 'refusal' in outcome && outcome.refusal === 'already-done';
  const isSame = claims.targetSha256 === locked.targetSha256 && claims.revision === locked.revision;
  // Reported later, with user and time.
  if (isDone && isSame) return;
  if (!isSame || token.expiresAt <= now) {
    throw refuse(isSame ? 'token-expired' : 'target-set-changed', {
      facts: { step: input.step, expiredAt: token.expiresAt.toISOString() },
    });
  }
}

/** The rollout stage, and every stage of a destructive change, is confirmed by the number of devices that it changes. */
async function requireTypedCount(
  tx: Transaction,
  locked: AirBlastRecord,
  input: StartStep,
): Promise<void> {
  if (!mustTypeCount(locked, input.step)) return;
  const devices = await countDevicesOf(tx, locked, input.step);
  if (devices === 0 || input.confirmation.trim() === String(devices)) return;
  throw refuse('device-count-not-typed', { field: 'confirmation', facts: { devices } });
}

/** @throws PortalError 8001 */
async function requireNotDone(
  tx: Transaction,
  locked: AirBlastRecord,
  { viewer, step }: { readonly viewer: Viewer; readonly step: StartStep['step'] },
): Promise<void> {
  const outcome = decide(locked, { kind: 'start', step });
  if (!('refusal' in outcome) || outcome.refusal !== 'already-done') return;
  const done = (await selectSteps(tx, locked)).findLast((one) => one.step === step);
  throw new PortalError('airBlastStepAlreadyDone', {
    facts: {
      step,
      by: done === undefined ? null : maskUser(done.operator, viewer),
      at: (done?.endedAt ?? done?.startedAt)?.toISOString() ?? null,
      current: locked.step,
    },
  });
}

async function beginStep(
  tx: Transaction,
  deps: AirBlastDeps,
  { locked, viewer, input }: { locked: AirBlastRecord; viewer: Viewer; input: StartStep },
): Promise<AirBlastRecord> {
  await requireNotDone(tx, locked, { viewer, step: input.step });
  const now = deps.clock();
  // After failed devices are left out, the rollout stage starts again for the remaining ones.
  const attempt = 1 + (await lastAttempt(tx, locked, input.step));
  const running = await changeProgress(
    tx,
    locked,
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
