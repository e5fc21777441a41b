import type { ApprovalHindrance, RunApproval } from '@deviceportal/contract/run-approvals';
import { scopesOf } from '@deviceportal/contract/permissions';
import { isSamePerson } from '../../access/data/same-people.ts';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { effectChanges } from '../effect/effect-changes.ts';
import { predictFailures } from '../data/execution/failure-history-queries.ts';
import { getRun } from '../get-run.ts';
import { reachesWholeRun } from '../require-whole-run.ts';
import { showRunDevices } from '../data/shown-target-queries.ts';
import { findRunApproval, type ApprovalRow } from '../data/runs/run-approval-queries.ts';
import { readCurrentRun, type CurrentRun } from './run-effect.ts';

/**
 * The pending or decided approval of a run; null if it needs none.
 *
 * @throws PortalError 5000 if there is no such run within scope
 */
export async function getRunApproval(
  deps: CommandsDeps,
  viewer: Viewer,
  id: string,
): Promise<RunApproval | null> {
  await getRun(deps, viewer, id);
  const row = await findRunApproval(deps.database.orm, id);
  if (row === undefined) return null;
  const isWaiting = row.state === 'Approval' && row.decision === null;
  const current = isWaiting ? await readCurrentRun(deps.database.orm, deps, row) : null;
  return {
    runId: row.id,
    requestedBy: maskUser(row.createdBy, viewer),
    requestedAt: row.createdAt.toISOString(),
    expiresAt: row.deliverBefore.toISOString(),
    effectSha256: row.effectSha256,
    changes: current === null ? [] : await findChanges(deps, viewer, { row, current }),
    reach: current === null ? null : await findReach(deps, viewer, { row, current }),
    decision:
      row.decision === null
        ? null
        : {
            verdict: row.decision,
            by: maskUser(row.decidedBy ?? '', viewer),
            at: (row.decidedAt ?? row.createdAt).toISOString(),
            comment: row.comment,
          },
    hindrance: isWaiting ? await findHindrance(deps, viewer, row) : 'over',
  };
}

/** Numbers of devices are returned only to viewers who can see all of them. */
async function findChanges(
  { database }: CommandsDeps,
  viewer: Viewer,
  { row, current }: { readonly row: ApprovalRow; readonly current: CurrentRun },
): Promise<RunApproval['changes']> {
  const changes = effectChanges(row.effect, current.effect);
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  return (await reachesWholeRun(database.orm, scopes, row.id))
    ? changes
    : changes.filter(({ part }) => part !== 'devices');
}

async function findHindrance(
  { database }: CommandsDeps,
  viewer: Viewer,
  row: ApprovalRow,
): Promise<ApprovalHindrance | null> {
  if (await isSamePerson(database.orm, viewer.userId, [row.createdById])) return 'same-person';
  const scopes = scopesOf(viewer.grants, ['air-blast:approve']);
  if (scopes.length === 0) return 'permission';
  return (await reachesWholeRun(database.orm, scopes, row.id)) ? null : 'scope';
}

async function findReach(
  { database }: CommandsDeps,
  viewer: Viewer,
  { row, current }: { readonly row: ApprovalRow; readonly current: CurrentRun },
): Promise<RunApproval['reach']> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const { models, ...shown } = await showRunDevices(database.orm, { runId: row.id, scopes });
  const { document } = current.resolved;
  const isUndo = row.undoesRunId !== null;
  return {
    ...shown,
    failures: await predictFailures(database.orm, { document, isUndo, models, scopes }),
  };
}
