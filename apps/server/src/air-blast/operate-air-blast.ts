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
  holdAirBlast,
  recordAirBlast,
  requireOperator,
  requireRoleInForce,
  stepFailed,
} from './change-progress.ts';
import { endAirBlastStep } from './steps/end-step.ts';
import { getAirBlast } from './get-air-blast.ts';
import { handOnToken } from './steps/hand-on-token.ts';
import { insertAuthorizedStep } from './steps/insert-authorized-step.ts';
import { prepareRetry } from './steps/prepare-step.ts';

export interface OperateAirBlast {
  readonly id: string;
  readonly reason: string;
  readonly origin: RequestOrigin;
}

/** No further wave opens, and nothing more of the one under way is sent; what devices have begun goes on to its end. @throws PortalError 2003, 1000, 2004, 8002 */
export const pauseAirBlast = operation('pause', 'air-blast.paused');
/** Goes on where it was. @throws PortalError 2003, 1000, 2004 */
export const resumeAirBlast = operation('resume', 'air-blast.resumed');
/** Ends the run; what was sent and has not begun is cancelled, what runs is asked to stop. @throws PortalError 2003, 1000, 2004 */
export const abortAirBlast = operation('abort', 'air-blast.aborted');

function operation(kind: 'pause' | 'resume' | 'abort', type: AuditType) {
  return async (
    deps: AirBlastDeps,
    viewer: Viewer,
    input: OperateAirBlast,
  ): Promise<AirBlastDetail> => {
    await inTransaction(deps.database, async (tx) => {
      const held = await holdAirBlast(tx, viewer, input.id);
      requireOperator(held, viewer);
      await requireRoleInForce(deps, held, input.origin);
      const now = deps.clock();
      const changed = await changeProgress(
        tx,
        held,
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
        data: { reason: input.reason, step: held.step },
      });
      if (kind === 'resume' && nextStepOf(changed) !== null) await handOnToken(tx, changed, now);
    });
    // The worker's next round does the same, where this one does not come to its end.
    await advanceAirBlast(deps, input.id).catch(() => {});
    return getAirBlast(deps, viewer, input.id);
  };
}

/**
 * Tries the devices again that a failed step left without success, and those that it never reached.
 *
 * @throws PortalError 2003, 1000, 2004; 8002 when preflight fails again
 */
export async function retryAirBlast(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: Omit<OperateAirBlast, 'reason'>,
): Promise<AirBlastDetail> {
  const failed = await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, input.id);
    requireOperator(held, viewer);
    await requireRoleInForce(deps, held, input.origin);
    const now = deps.clock();
    const attempt = held.attempt + 1;
    const running = await changeProgress(
      tx,
      held,
      { kind: 'retry' },
      { attempt, stateReason: '', updatedAt: now },
    );
    const { outcome, waves } = await prepareRetry(tx, deps, running);
    await insertAuthorizedStep(tx, deps, { run: running, viewer, waves, now });
    await recordAirBlast(tx, running, {
      type: 'air-blast.retried',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      data: { step: held.step, attempt },
    });
    if (outcome === null) return null;
    const ended = await endAirBlastStep(tx, running, { ...outcome, now });
    return ended.state === 'failed' ? ended : null;
  });
  if (failed !== null) throw await stepFailed(deps.database.orm, failed);
  await advanceAirBlast(deps, input.id).catch(() => {});
  return getAirBlast(deps, viewer, input.id);
}

/** Renews the token at any moment while a step waits for its start. @throws PortalError 2003, 1000, 2004 */
export async function renewToken(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: Omit<OperateAirBlast, 'reason'>,
): Promise<AirBlastDetail> {
  await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, input.id);
    requireOperator(held, viewer);
    const step = nextStepOf(held);
    if (step === null) {
      throw refuse('rollout-no-step-ready');
    }
    await handOnToken(tx, held, deps.clock());
    await recordAirBlast(tx, held, {
      type: 'air-blast.token-renewed',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      data: { step },
    });
  });
  return getAirBlast(deps, viewer, input.id);
}
