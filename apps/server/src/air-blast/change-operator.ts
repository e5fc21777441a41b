import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { maskUser } from '../people/mask-person.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { hasEnded } from './air-blast-state-machine.ts';
import { updateAirBlast } from './data/rollout-queries.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';
import {
  requireLockedAirBlast,
  recordAirBlast,
  requireAirBlast,
  requireOperator,
} from './change-progress.ts';
import { getAirBlast } from './get-air-blast.ts';
import { hasApproved, mayTakeOver } from './operator-policy.ts';

interface Request {
  readonly id: string;
  readonly origin: RequestOrigin;
}

/**
 * Assumes the AirBlast role for 900 s, or renews it, at the operator's request.
 *
 * @throws PortalError 2003; 1000 for users other than the operator, and users whom the role does not trust
 */
export async function assumeOperatorRole(
  deps: AirBlastDeps,
  viewer: Viewer,
  { id, origin }: Request,
): Promise<AirBlastDetail> {
  requireOperator(await requireAirBlast(deps.database.orm, viewer, id), viewer);
  const { session, expiresAt } = await deps.role.assume(viewer, { airBlastId: id, origin });
  await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, id);
    requireOperator(locked, viewer);
    await updateAirBlast(tx, id, {
      roleSession: session,
      roleExpiresAt: expiresAt,
      offered: false,
    });
    await recordAirBlast(tx, locked, {
      type: 'air-blast.role-assumed',
      actor: actorOf(viewer, origin),
      requestId: origin.requestId,
      data: { expiresAt: expiresAt.toISOString() },
    });
  });
  return getAirBlast(deps, viewer, id);
}

/** Releases control, so that another user can take over. @throws PortalError 2003, 1000, 2004 */
export async function handOver(
  deps: AirBlastDeps,
  viewer: Viewer,
  { id, origin }: Request,
): Promise<AirBlastDetail> {
  await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, id);
    requireOperator(locked, viewer);
    requireOpen(locked);
    await updateAirBlast(tx, id, { offered: true, roleSession: null, roleExpiresAt: null });
    await recordAirBlast(tx, locked, {
      type: 'air-blast.offered',
      actor: actorOf(viewer, origin),
      requestId: origin.requestId,
    });
  });
  return getAirBlast(deps, viewer, id);
}

/**
 * Makes the viewer the operator. Tokens and the role of the previous operator become invalid.
 *
 * @throws PortalError 2003; 1000 while its operator has the role
 */
export async function takeOver(
  deps: AirBlastDeps,
  viewer: Viewer,
  { id, origin }: Request,
): Promise<AirBlastDetail> {
  await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, id);
    requireOpen(locked);
    if (locked.operatorId === viewer.userId && !locked.offered) return;
    if (!mayTakeOver(locked, viewer, deps.clock())) {
      const operator = maskUser(locked.operator, viewer);
      throw refuse('rollout-not-offered', { facts: { permission: 'air-blast:run', operator } });
    }
    await requireNotApprover(tx, locked, viewer);
    await updateAirBlast(tx, id, {
      operatorId: viewer.userId,
      operator: viewer.username,
      offered: false,
      roleSession: null,
      roleExpiresAt: null,
      tokenIssuedAt: null,
      updatedAt: deps.clock(),
    });
    await recordAirBlast(tx, locked, {
      type: 'air-blast.taken-over',
      actor: actorOf(viewer, origin),
      requestId: origin.requestId,
      data: { from: locked.operator, wasOffered: locked.offered },
    });
  });
  return getAirBlast(deps, viewer, id);
}

/** Approvers of a plan cannot operate it. */
async function requireNotApprover(
  tx: Transaction,
  locked: AirBlastRecord,
  { userId }: Viewer,
): Promise<void> {
  if (!(await hasApproved(tx, locked, userId))) return;
  throw refuse('approver-cannot-operate', { facts: { permission: 'air-blast:run' } });
}

function requireOpen(locked: AirBlastRecord): void {
  if (!hasEnded(locked)) return;
  throw refuse('rollout-ended');
}
