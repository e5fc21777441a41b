import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { actorOf } from '../../audit-trail/record-audit.ts';
import { requestCancel } from '../../commands/execution/request-cancel.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { advanceAirBlast } from './advance-air-blast.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { selectQueuedForOffline } from '../data/waves/offline-queries.ts';
import {
  holdAirBlast,
  recordAirBlast,
  requireOperator,
  requireRoleInForce,
} from '../change-progress.ts';
import { getAirBlast } from '../get-air-blast.ts';
import type { OperateAirBlast } from '../operate-air-blast.ts';

/**
 * Takes back what the step under way has for devices that are away: one device that has left need not hold up all
 * others until its time is up. They count as not changed, not as errors.
 *
 * @throws PortalError 2003, 1000
 */
export async function stopWaiting(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: Omit<OperateAirBlast, 'reason'>,
): Promise<AirBlastDetail> {
  const changes = await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, input.id);
    requireOperator(held, viewer);
    await requireRoleInForce(deps, held, input.origin);
    const invocationIds = await selectQueuedForOffline(tx, held);
    if (invocationIds.length === 0) return [];
    const actor = actorOf(viewer, input.origin);
    const { requestId } = input.origin;
    await recordAirBlast(tx, held, {
      type: 'air-blast.waiting-stopped',
      actor,
      requestId,
      data: { step: held.step, devices: invocationIds.length },
    });
    return (await requestCancel(tx, { target: { invocationIds }, actor, requestId })).changes;
  });
  deps.changes.publish(changes);
  await advanceAirBlast(deps, input.id).catch(() => {});
  return getAirBlast(deps, viewer, input.id);
}
