import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { advanceAirBlast } from './steps/advance-air-blast.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { nextStepOf } from './air-blast-state-machine.ts';
import {
  changeProgress,
  requireLockedAirBlast,
  recordAirBlast,
  requireOperator,
  requireActiveRole,
  stepFailed,
} from './change-progress.ts';
import { endAirBlastStep } from './steps/end-step.ts';
import { getAirBlast } from './get-air-blast.ts';
import { markTokenIssued } from './steps/mark-token-issued.ts';
import { insertAuthorizedStep } from './steps/insert-authorized-step.ts';
import { prepareRetry } from './steps/prepare-step.ts';

export interface OperateAirBlast {
  readonly id: string;
  readonly reason: string;
  readonly origin: RequestOrigin;
}

/**
 * Opens no further wave, and sends nothing more of the open one. Running invocations continue.
 *
 * @throws PortalError 2003, 1000, 2004, 8002
 */
export const pauseAirBlast = operation('pause', 'air-blast.paused');
/** Continues where the rollout was paused. @throws PortalError 2003, 1000, 2004 */
export const resumeAirBlast = operation('resume', 'air-blast.resumed');
/**
 * Ends the rollout. Queued invocations are canceled, running ones are asked to stop.
 *
 * @throws PortalError 2003, 1000, 2004
 */
export const abortAirBlast = operation('abort', 'air-blast.aborted');

function operation(kind: 'pause' | 'resume' | 'abort', type: AuditType) {
  return async (
    deps: AirBlastDeps,
    viewer: Viewer,
    input: OperateAirBlast,
  ): Promise<AirBlastDetail> => {
    await inTransaction(deps.database, async (tx) => {
      const locked = await requireLockedAirBlast(tx, viewer, input.id);
      requireOperator(locked, viewer);
      await requireActiveRole(deps, locked, input.origin);
      const now = deps.clock();
      const changed = await changeProgress(
        tx,
        locked,
        { kind },
        {
          stateReason: kind === 'resume' ? '' : input.reason,
          updatedAt: now,
          ...(kind === 'abort' ? { endedAt: now } : {}),
        },
      );
      await recordAirBlast(tx, changed, {
        type,
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        data: { reason: input.reason, step: locked.step },
      });
      if (kind === 'resume' && nextStepOf(changed) !== null)
        await markTokenIssued(tx, changed, now);
    });
    // If this fails, the worker does the same in its next pass.
    await advanceAirBlast(deps, input.id).catch(() => {});
    return getAirBlast(deps, viewer, input.id);
  };
}

/**
 * Retries the devices on which a failed step did not succeed, and those that it did not reach.
 *
 * @throws PortalError 2003, 1000, 2004; 8002 if preflight fails again
 */
export async function retryAirBlast(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: Omit<OperateAirBlast, 'reason'>,
): Promise<AirBlastDetail> {
  const failed = await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, input.id);
    requireOperator(locked, viewer);
    await requireActiveRole(deps, locked, input.origin);
    const now = deps.clock();
    const attempt = locked.attempt + 1;
    const running = await changeProgress(
      tx,
      locked,
      { kind: 'retry' },
      { attempt, stateReason: '', updatedAt: now },
    );
    const { outcome, waves } = await prepareRetry(tx, deps, running);
    await insertAuthorizedStep(tx, deps, { run: running, viewer, waves, now });
    await recordAirBlast(tx, running, {
      type: 'air-blast.retried',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      data: { step: locked.step, attempt },
    });
    if (outcome === null) return null;
    const ended = await endAirBlastStep(tx, running, { ...outcome, now });
    return ended.state === 'failed' ? ended : null;
  });
  if (failed !== null) throw await stepFailed(deps.database.orm, failed);
  await advanceAirBlast(deps, input.id).catch(() => {});
  return getAirBlast(deps, viewer, input.id);
}

/** Renews the token of a step that can be started. @throws PortalError 2003, 1000, 2004 */
export async function renewToken(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: Omit<OperateAirBlast, 'reason'>,
): Promise<AirBlastDetail> {
  await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, input.id);
    requireOperator(locked, viewer);
    const step = nextStepOf(locked);
    if (step === null) {
      throw refuse('rollout-no-step-ready');
    }
    await markTokenIssued(tx, locked, deps.clock());
    await recordAirBlast(tx, locked, {
      type: 'air-blast.token-renewed',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      data: { step },
    });
  });
  return getAirBlast(deps, viewer, input.id);
}
