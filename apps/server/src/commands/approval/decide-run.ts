import type { z } from 'zod';
import type { PortalError } from '@deviceportal/contract/errors';
import type { decideRunInput } from '@deviceportal/contract/run-approvals';
import type { RunDetail } from '@deviceportal/contract/runs';
import { refuse } from '@deviceportal/contract/refuse';
import { isSamePerson } from '../../access/data/same-people.ts';
import { recordAuditForDevices } from '../../audit-trail/record-audit-for-devices.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { effectSha256 } from '../effect/effect-sha256.ts';
import { requestCancel } from '../execution/request-cancel.ts';
import { getRun } from '../get-run.ts';
import { requireStillActive } from '../catalog/require-active.ts';
import { requireWholeRun } from '../require-whole-run.ts';
import { requireStepUpToDestroy } from '../step-up-when-destroying.ts';
import { timesOf } from '../run-times.ts';
import { invocationsOf } from '../data/runs/run-insert-queries.ts';
import { findConsequence } from '../data/runs/find-consequence.ts';
import { signRun } from '../signing/sign-run.ts';
import {
  lockRunApproval,
  storeDecision,
  releaseRun,
  type ApprovalRow,
} from '../data/runs/run-approval-queries.ts';
import { readCurrentRun } from './run-effect.ts';
import { notifyDecision } from './notify-approvers.ts';

export type DecideRun = z.infer<typeof decideRunInput> & { readonly origin: RequestOrigin };

/**
 * Approves a run exactly as it was requested and shown. The run is signed for its devices only now.
 *
 * @throws PortalError 5000; 1000 for the requester, or for a user whose scope does not contain all of its devices; 2004
 * if it is no longer waiting for approval, or if its effect differs from the one requested and shown
 */
export async function approveRun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: DecideRun,
): Promise<RunDetail> {
  await requireStepUpToDestroy(input.origin, await findConsequence(deps.database.orm, input.id));
  await decide(deps, viewer, input, async (tx, row) => {
    const current = await readCurrentRun(tx, deps, row);
    const sha256 = effectSha256(current.effect);
    if (sha256 !== row.effectSha256 || sha256 !== input.effectSha256) throw changed(row);
    if (row.undoesRunId === null) await requireStillActive(tx, current.resolved);
    const now = deps.clock();
    const times = timesOf(now, row.timeoutSeconds);
    if (!(await releaseRun(tx, row.id, times))) throw over(row);
    const run = { ...row, createdAt: now, ...times };
    await signRun(tx, deps, { run, ...current });
    await storeDecision(tx, row.id, decisionOf('approved', viewer, { ...input, at: now }));
    await recordAuditForDevices(tx, {
      type: 'command.approved',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      runId: row.id,
      at: now,
      data: { runId: row.id, command: row.command, effectSha256: sha256, comment: input.comment },
      devices: invocationsOf({ id: row.id, createdAt: now }),
    });
    return notifyDecision(tx, row, {
      verdict: 'approved',
      by: viewer.username,
      comment: input.comment,
    });
  });
  // The dispatcher of the server to which the devices are connected is notified after commit.
  deps.changes.publish([{ kind: 'run-resumed', runId: input.id }]);
  return getRun(deps, viewer, input.id);
}

/**
 * Rejects a run; nothing is sent.
 * @throws PortalError as `approveRun`
 */
export async function rejectRun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: DecideRun,
): Promise<RunDetail> {
  await decide(deps, viewer, input, async (tx, row) => {
    const actor = actorOf(viewer, input.origin);
    const { requestId } = input.origin;
    const { changes } = await requestCancel(tx, { target: { runId: row.id }, actor, requestId });
    const at = deps.clock();
    await storeDecision(tx, row.id, decisionOf('rejected', viewer, { ...input, at }));
    const data = { runId: row.id, command: row.command, comment: input.comment };
    await recordAudit(tx, [{ type: 'command.rejected', actor, requestId, runId: row.id, data }]);
    const decision = { verdict: 'rejected', by: viewer.username, comment: input.comment } as const;
    return [...changes, ...(await notifyDecision(tx, row, decision))];
  });
  return getRun(deps, viewer, input.id);
}

async function decide(
  deps: CommandsDeps,
  viewer: Viewer,
  input: DecideRun,
  carryOut: (tx: Transaction, row: ApprovalRow) => Promise<Change[]>,
): Promise<void> {
  const { id } = await getRun(deps, viewer, input.id);
  const changes = await inTransaction(deps.database, async (tx) => {
    const row = await lockRunApproval(tx, id);
    if (row === undefined || row.state !== 'Approval' || row.decision !== null) throw over({ id });
    await requireWholeRun(tx, viewer, { runId: id, permissions: ['air-blast:approve'] });
    if (await isSamePerson(tx, viewer.userId, [row.createdById])) {
      throw refuse('run-needs-second-person', { facts: { permission: 'air-blast:approve' } });
    }
    return carryOut(tx, row);
  });
  deps.changes.publish([...changes, { kind: 'run', runIds: [id] }]);
}

const decisionOf = (
  verdict: 'approved' | 'rejected',
  viewer: Viewer,
  { comment, at }: { readonly comment: string; readonly at: Date },
) => ({ verdict, byId: viewer.userId, by: viewer.username, at, comment });

function changed({ id }: Pick<ApprovalRow, 'id'>): PortalError {
  const reason = 'approval-changed';
  return refuse('approval-changed', { field: 'effectSha256', facts: { runId: id, reason } });
}

const over = ({ id }: { readonly id: string }): PortalError =>
  refuse('run-not-awaiting-approval', { field: 'id', facts: { runId: id } });
