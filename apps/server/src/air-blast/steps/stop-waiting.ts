import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { actorOf } from '../../audit-trail/record-audit.ts';
import { requestCancel } from '../../commands/execution/request-cancel.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { advanceAirBlast } from './advance-air-blast.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { selectQueuedForOffline } from '../data/waves/offline-queries.ts';
import {
  requireLockedAirBlast,
  recordAirBlast,
  requireOperator,
  requireActiveRole,
} from '../change-progress.ts';
import { getAirBlast } from '../get-air-blast.ts';
import type { OperateAirBlast } from '../operate-air-blast.ts';

/**
 * Cancels the queued invocations of offline devices, so that they do not delay the step until their delivery timeout.
 * They count as not changed, not as errors.
 *
 * @throws PortalError 2003, 1000
 */
export async function stopWaiting(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: Omit<OperateAirBlast, 'reason'>,
): Promise<AirBlastDetail> {
  const changes = await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, input.id);
    requireOperator(locked, viewer);
    await requireActiveRole(deps, locked, input.origin);
    const invocationIds = await selectQueuedForOffline(tx, locked);
    if (invocationIds.length === 0) return [];
    const actor = actorOf(viewer, input.origin);
    const { requestId } = input.origin;
    await recordAirBlast(tx, locked, {
      type: 'air-blast.waiting-stopped',
      actor,
      requestId,
      data: { step: locked.step, devices: invocationIds.length },
    });
    return (await requestCancel(tx, { target: { invocationIds }, actor, requestId })).changes;
  });
  deps.changes.publish(changes);
  await advanceAirBlast(deps, input.id).catch(() => {});
  return getAirBlast(deps, viewer, input.id);
}
