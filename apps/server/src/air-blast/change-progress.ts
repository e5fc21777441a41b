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

/** People who run or approve AirBlasts see them, where all devices are within the scope of that right. */
export const sightOf = (viewer: Viewer) =>
  scopesOf(viewer.grants, ['air-blast:run', 'air-blast:approve']);

const notFound = (id: string) => new PortalError('notFound', { facts: { airBlast: id } });

/** @throws PortalError 2003 when there is none within the viewer's sight */
export async function requireAirBlast(
  executor: Executor,
  viewer: Viewer,
  id: string,
): Promise<AirBlastRecord> {
  const found = await findAirBlast(executor, id, sightOf(viewer));
  if (found === undefined) throw notFound(id);
  return found;
}

/** The same, held until the transaction ends: for who may do this with every device of it. */
export async function holdAirBlast(
  tx: Transaction,
  viewer: Viewer,
  id: string,
  permission: 'air-blast:run' | 'air-blast:approve' = 'air-blast:run',
): Promise<AirBlastRecord> {
  const found = await lockAirBlast(tx, id, scopesOf(viewer.grants, [permission]));
  if (found === undefined) throw notFound(id);
  return found;
}

/** @throws PortalError 1000 for anybody but the operator */
export function requireOperator(held: AirBlastRecord, viewer: Viewer): void {
  if (held.operatorId === viewer.userId) return;
  throw refuse('rollout-of-other-operator', {
    facts: { permission: 'air-blast:run', operator: maskUser(held.operator, viewer) },
  });
}

/** @throws PortalError 1000 when the operator does not hold the role now; it is assumed by an explicit act */
export async function requireRoleInForce(
  deps: AirBlastDeps,
  held: AirBlastRecord,
  origin: RequestOrigin,
): Promise<void> {
  const { roleSession, roleExpiresAt } = held;
  const isCurrent = roleExpiresAt !== null && roleExpiresAt > deps.clock();
  const request = { session: roleSession ?? '', airBlastId: held.id, address: origin.address };
  if (isCurrent && roleSession !== null && (await deps.role.isInForce(request))) return;
  throw refuse('rollout-role-ended', { facts: { permission: 'air-blast:run' } });
}

/**
 * Applies one event to a held run: the state machine decides, and what it refuses changes nothing.
 *
 * @throws PortalError 8002 or 2004
 */
export async function changeProgress(
  tx: Transaction,
  held: AirBlastRecord,
  event: AirBlastEvent,
  patch: Partial<AirBlastRecord> & { readonly updatedAt: Date },
): Promise<AirBlastRecord> {
  const outcome = decide(held, event);
  if ('refusal' in outcome) throw await refusalError(tx, held, outcome.refusal);
  const change = { ...progressColumns(outcome.next), ...patch };
  await updateAirBlast(tx, held.id, change);
  return { ...held, ...change };
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
  held: AirBlastRecord,
  refusal: Refusal,
): Promise<PortalError> {
  if (refusal === 'failed') return stepFailed(tx, held);
  return refuse(refusalReasons[refusal] ?? 'rollout-not-now', {
    facts: { reason: refusal, state: held.state, step: held.step },
  });
}

/** 8002 with the counts of the step that failed. */
export async function stepFailed(executor: Executor, held: AirBlastRecord): Promise<PortalError> {
  const failed = (await selectSteps(executor, held)).findLast(({ step }) => step === held.step);
  const { failed: count = null, total = null } = failed?.evidence ?? {};
  return new PortalError('airBlastStepFailed', {
    facts: {
      step: held.step,
      failed: typeof count === 'number' ? count : null,
      total: typeof total === 'number' ? total : null,
      reason: held.stateReason,
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

/** The audit event of a change of the run itself; devices have theirs with each command. */
export async function recordAirBlast(
  tx: Transaction,
  run: Pick<AirBlastRecord, 'id' | 'name' | 'revision' | 'targetSha256' | 'planSha256'>,
  event: AirBlastEventDraft,
): Promise<void> {
  const { id, name, revision, targetSha256, planSha256 } = run;
  const data = { airBlastId: id, name, revision, targetSha256, planSha256, ...event.data };
  await recordAudit(tx, [{ ...event, data }]);
}
