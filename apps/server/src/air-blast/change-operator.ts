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
  holdAirBlast,
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
 * Takes on the AirBlast role for 900 s, or renews it: always because the operator asked for it.
 *
 * @throws PortalError 2003; 1000 for anybody but the operator, and for whom the role does not trust
 */
export async function assumeOperatorRole(
  deps: AirBlastDeps,
  viewer: Viewer,
  { id, origin }: Request,
): Promise<AirBlastDetail> {
  requireOperator(await requireAirBlast(deps.database.orm, viewer, id), viewer);
  const { session, expiresAt } = await deps.role.assume(viewer, { airBlastId: id, origin });
  await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, id);
    requireOperator(held, viewer);
    await updateAirBlast(tx, id, {
      roleSession: session,
      roleExpiresAt: expiresAt,
      offered: false,
    });
    await recordAirBlast(tx, held, {
      type: 'air-blast.role-assumed',
      actor: actorOf(viewer, origin),
      requestId: origin.requestId,
      data: { expiresAt: expiresAt.toISOString() },
    });
  });
  return getAirBlast(deps, viewer, id);
}

/** Lets go of a run, so that another operator can take it. @throws PortalError 2003, 1000, 2004 */
export async function handOver(
  deps: AirBlastDeps,
  viewer: Viewer,
  { id, origin }: Request,
): Promise<AirBlastDetail> {
  await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, id);
    requireOperator(held, viewer);
    requireOpen(held);
    await updateAirBlast(tx, id, { offered: true, roleSession: null, roleExpiresAt: null });
    await recordAirBlast(tx, held, {
      type: 'air-blast.offered',
      actor: actorOf(viewer, origin),
      requestId: origin.requestId,
    });
  });
  return getAirBlast(deps, viewer, id);
}

/**
 * Becomes the operator: tokens and the role of the one before are void.
 *
 * @throws PortalError 2003; 1000 while its operator holds the role
 */
export async function takeOver(
  deps: AirBlastDeps,
  viewer: Viewer,
  { id, origin }: Request,
): Promise<AirBlastDetail> {
  await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, id);
    requireOpen(held);
    if (held.operatorId === viewer.userId && !held.offered) return;
    if (!mayTakeOver(held, viewer, deps.clock())) {
      const operator = maskUser(held.operator, viewer);
      throw refuse('rollout-not-offered', { facts: { permission: 'air-blast:run', operator } });
    }
    await requireNotApprover(tx, held, viewer);
    await updateAirBlast(tx, id, {
      operatorId: viewer.userId,
      operator: viewer.username,
      offered: false,
      roleSession: null,
      roleExpiresAt: null,
      tokenIssuedAt: null,
      updatedAt: deps.clock(),
    });
    await recordAirBlast(tx, held, {
      type: 'air-blast.taken-over',
      actor: actorOf(viewer, origin),
      requestId: origin.requestId,
      data: { from: held.operator, wasOffered: held.offered },
    });
  });
  return getAirBlast(deps, viewer, id);
}

/** The second person stays a second person. */
async function requireNotApprover(
  tx: Transaction,
  held: AirBlastRecord,
  { userId }: Viewer,
): Promise<void> {
  if (!(await hasApproved(tx, held, userId))) return;
  throw refuse('approver-cannot-operate', { facts: { permission: 'air-blast:run' } });
}

function requireOpen(held: AirBlastRecord): void {
  if (!hasEnded(held)) return;
  throw refuse('rollout-ended');
}
