import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import { refuse } from '@deviceportal/contract/refuse';
import type { RefusalReasonWithoutFacts } from '@deviceportal/contract/refuse';
import { recordAudit, type AuditActorDraft } from '../audit-trail/record-audit.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Executor, Transaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import {
  decide,
  type AirBlastEvent,
  type Progress,
  type Refusal,
} from './air-blast-state-machine.ts';
import { findAirBlast, lockAirBlast, updateAirBlast } from './data/rollout-queries.ts';
import { selectSteps } from './data/step-queries.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';

/** Where users who run or approve rollouts can see them: all devices must be in scope. */
export const visibleScopes = (viewer: Viewer) =>
  scopesOf(viewer.grants, ['air-blast:run', 'air-blast:approve']);

const notFound = (id: string) => new PortalError('notFound', { facts: { airBlast: id } });

/** @throws PortalError 2003 if there is none that the viewer can see */
export async function requireAirBlast(
  executor: Executor,
  viewer: Viewer,
  id: string,
): Promise<AirBlastRecord> {
  const found = await findAirBlast(executor, id, visibleScopes(viewer));
  if (found === undefined) throw notFound(id);
  return found;
}

/** Locked until the transaction ends. All its devices must be in the scope of the permission. */
export async function requireLockedAirBlast(
  tx: Transaction,
  viewer: Viewer,
  id: string,
  permission: 'air-blast:run' | 'air-blast:approve' = 'air-blast:run',
): Promise<AirBlastRecord> {
  const found = await lockAirBlast(tx, id, scopesOf(viewer.grants, [permission]));
  if (found === undefined) throw notFound(id);
  return found;
}

/** @throws PortalError 1000 for users other than the operator */
export function requireOperator(locked: AirBlastRecord, viewer: Viewer): void {
  if (locked.operatorId === viewer.userId) return;
  throw refuse('rollout-of-other-operator', {
    facts: { permission: 'air-blast:run', operator: maskUser(locked.operator, viewer) },
  });
}

/** @throws PortalError 1000 if the operator has not assumed the role, or it has ended */
export async function requireActiveRole(
  deps: AirBlastDeps,
  locked: AirBlastRecord,
  origin: RequestOrigin,
): Promise<void> {
  const { roleSession, roleExpiresAt } = locked;
  const isCurrent = roleExpiresAt !== null && roleExpiresAt > deps.clock();
  const request = { session: roleSession ?? '', airBlastId: locked.id, address: origin.address };
  if (isCurrent && roleSession !== null && (await deps.role.isInForce(request))) return;
  throw refuse('rollout-role-ended', { facts: { permission: 'air-blast:run' } });
}

/**
 * Applies an event to a locked rollout. An event that the state machine rejects changes nothing.
 *
 * @throws PortalError 8002 or 2004
 */
export async function changeProgress(
  tx: Transaction,
  locked: AirBlastRecord,
  event: AirBlastEvent,
  patch: Partial<AirBlastRecord> & { readonly updatedAt: Date },
): Promise<AirBlastRecord> {
  const outcome = decide(locked, event);
  if ('refusal' in outcome) throw await refusalError(tx, locked, outcome.refusal);
  const change = { ...progressColumns(outcome.next), ...patch };
  await updateAirBlast(tx, locked.id, change);
  return { ...locked, ...change };
}

const progressColumns = ({
  state,
  step,
  stepState,
  pausedFrom,
  needsApproval,
  approvalFirst,
  approved,
}: Progress) => ({
  state,
  step,
  stepState,
  pausedFrom,
  needsApproval,
  approvalFirst,
  approved,
});

async function refusalError(
  tx: Transaction,
  locked: AirBlastRecord,
  refusal: Refusal,
): Promise<PortalError> {
  if (refusal === 'failed') return stepFailed(tx, locked);
  return refuse(refusalReasons[refusal] ?? 'rollout-not-now', {
    facts: { reason: refusal, state: locked.state, step: locked.step },
  });
}

/** 8002 with the counts of the failed step. */
export async function stepFailed(executor: Executor, locked: AirBlastRecord): Promise<PortalError> {
  const failed = (await selectSteps(executor, locked)).findLast(({ step }) => step === locked.step);
  const { failed: count = null, total = null } = failed?.evidence ?? {};
  return new PortalError('airBlastStepFailed', {
    facts: {
      step: locked.step,
      failed: typeof count === 'number' ? count : null,
      total: typeof total === 'number' ? total : null,
      reason: locked.stateReason,
    },
  });
}

const refusalReasons: Readonly<Partial<Record<Refusal, RefusalReasonWithoutFacts>>> = {
  'out-of-order': 'rollout-out-of-order',
  ended: 'rollout-ended',
  paused: 'rollout-paused',
  'needs-approval': 'rollout-needs-approval',
  running: 'rollout-step-running',
};

export interface AirBlastEventDraft {
  readonly type: AuditType;
  readonly actor: AuditActorDraft;
  readonly requestId?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Records a change of the rollout itself. Its commands record an event for each device. */
export async function recordAirBlast(
  tx: Transaction,
  run: Pick<AirBlastRecord, 'id' | 'name' | 'revision' | 'targetSha256' | 'planSha256'>,
  event: AirBlastEventDraft,
): Promise<void> {
  const { id, name, revision, targetSha256, planSha256 } = run;
  const data = { airBlastId: id, name, revision, targetSha256, planSha256, ...event.data };
  await recordAudit(tx, [{ ...event, data }]);
}
