import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import type { approvalTargetInput, approveSoftwareInput } from '@deviceportal/contract/versions';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { requireTargetInScope } from './approval-scope-policy.ts';
import { restateNow } from './restate-devices.ts';
import {
  allApprovals,
  deleteApproval,
  lockApproved,
  upsertApproval,
} from './data/approval-queries.ts';
import { refreshCellStates } from './data/cell-state-queries.ts';
import { lockSoftware } from './data/software-queries.ts';
import type { VersionsDeps } from './versions-deps.ts';

type ApproveSoftware = z.infer<typeof approveSoftwareInput>;
type ApprovalTarget = z.infer<typeof approvalTargetInput>;

/**
 * Makes a version the approved one of a component for a model and a country, and replaces the previous one.
 * @throws PortalError 2003 for an unknown version; 2004 unless it is approved and built for the model; 1000 outside
 * the scope
 */
export async function approveSoftware(
  deps: VersionsDeps,
  caller: Caller,
  input: ApproveSoftware,
): Promise<void> {
  requireTargetInScope(caller.viewer, input);
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    await requireApprovable(tx, input);
    const before = await lockApproved(tx, input);
    if (before === undefined) {
      await requireRoom(tx, { limit: 'versionApprovals', of: '', existing: allApprovals() });
    }
    const { component, model, country, version, mandatoryFrom } = input;
    await upsertApproval(tx, {
      ...{ component, model, country, version },
      approvedBy: caller.viewer.username,
      approvedAt: at,
      mandatoryFrom: mandatoryFrom === null ? null : new Date(mandatoryFrom),
    });
    await refreshCellStates(tx, input.component);
    await recordAudit(tx, [
      {
        type: 'version.approval-set',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        at,
        data: { ...input, from: before ?? null, to: input.version },
      },
    ]);
  });
  await restateNow(deps);
}

async function requireApprovable(tx: Transaction, input: ApproveSoftware): Promise<void> {
  const { component, version, model } = input;
  const held = await lockSoftware(tx, input);
  if (held === undefined) throw new PortalError('notFound', { facts: { component, version } });
  const issues = [
    ...(held.state === 'approved' ? [] : [{ path: ['version'], message: `is ${held.state}` }]),
    ...(held.models.length === 0 || held.models.includes(model)
      ? []
      : [{ path: ['model'], message: `is not one of ${held.models.join(', ')}` }]),
  ];
  if (issues.length > 0) {
    throw refuse('version-not-approvable', { issues, facts: { component, version, model } });
  }
}

/** @throws PortalError 2003 when nothing is approved there; 1000 outside the scope */
export async function withdrawApproval(
  deps: VersionsDeps,
  caller: Caller,
  target: ApprovalTarget,
): Promise<void> {
  requireTargetInScope(caller.viewer, target);
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const before = await lockApproved(tx, target);
    if (before === undefined) throw new PortalError('notFound', { facts: { ...target } });
    await deleteApproval(tx, target);
    await refreshCellStates(tx, target.component);
    await recordAudit(tx, [
      {
        type: 'version.approval-withdrawn',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        at,
        data: { ...target, version: before },
      },
    ]);
  });
  await restateNow(deps);
}
