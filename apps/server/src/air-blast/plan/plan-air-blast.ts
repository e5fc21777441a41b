import type { z } from 'zod';
import type {
  AirBlastChange,
  AirBlastDetail,
  editAirBlastInput,
  PlanAirBlastInput,
} from '@deviceportal/contract/air-blast';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { planned } from '../air-blast-state-machine.ts';
import {
  findIdByKey,
  insertAirBlast,
  updateAirBlast,
  openRolloutsOf,
} from '../data/rollout-queries.ts';
import { insertStep, type NewStep } from '../data/step-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import {
  changeProgress,
  requireLockedAirBlast,
  recordAirBlast,
  requireAirBlast,
  requireOperator,
} from '../change-progress.ts';
import { resolvePlan, storePlan, type ResolvedPlan } from './resolve-plan.ts';
import { getAirBlast } from '../get-air-blast.ts';
import { secretNames } from './get-plan.ts';
import { authorizePlan } from './plan-authorization.ts';
import { labelOf } from './store-parameters.ts';
import { hasSentChange } from '../data/targets/target-set-queries.ts';

/**
 * The first step: resolves the target set with its exclusions and issues the token of the second step. A repeated
 * idempotency key returns the existing rollout.
 *
 * @throws PortalError 2003, 1000, 2004, 4001, 6000
 */
export async function planAirBlast(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: PlanAirBlastInput & { readonly origin: RequestOrigin },
): Promise<AirBlastDetail> {
  const known = await findIdByKey(deps.database.orm, viewer.userId, input.idempotencyKey);
  if (known !== undefined) return getAirBlast(deps, viewer, known);
  const resolved = await resolvePlan(deps, viewer, input);
  const now = deps.clock();
  const id = newId(now.getTime());
  const made = await inTransaction(deps.database, async (tx) => {
    const existing = openRolloutsOf(viewer.userId, input.idempotencyKey).getSQL();
    await requireRoom(tx, { limit: 'openRollouts', of: viewer.userId, existing });
    const plan = await storePlan(tx, deps, { id, revision: 1, resolved, plan: input });
    const progress = planned(resolved);
    const isNew = await insertAirBlast(tx, {
      id,
      idempotencyKey: input.idempotencyKey,
      ...progress,
      ...plan,
      authorization: await authorizePlan(
        deps,
        { id, revision: 1, ...plan, ...progress },
        { viewer, at: now },
      ),
      operatorId: viewer.userId,
      operator: viewer.username,
      tokenIssuedAt: now,
      createdById: viewer.userId,
      createdBy: viewer.username,
      createdAt: now,
      updatedAt: now,
    });
    if (!isNew) throw new SameKeyError();
    await insertStep(tx, planStep(viewer, { id, revision: 1, now, resolved }));
    await recordAirBlast(
      tx,
      { id, revision: 1, ...plan },
      {
        type: 'air-blast.planned',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        data: planFacts(plan, resolved),
      },
    );
    return id;
  }).catch(async (error: unknown) => {
    if (!(error instanceof SameKeyError)) throw error;
    return (await findIdByKey(deps.database.orm, viewer.userId, input.idempotencyKey)) ?? id;
  });
  return getAirBlast(deps, viewer, made);
}

/** Rolls back the transaction of a second request with the same key. */
class SameKeyError extends Error {}

/**
 * A new plan for the same rollout. It has a new target set, so earlier approvals are void and all steps start again.
 *
 * @throws PortalError 2003, 1000, 2004 (also if another request has changed it), 4001, 6000
 */
export async function editAirBlast(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: z.infer<typeof editAirBlastInput> & { readonly origin: RequestOrigin },
): Promise<AirBlastDetail> {
  const before = await requireAirBlast(deps.database.orm, viewer, input.id);
  requireOperator(before, viewer);
  const change = withStoredSecrets(deps, before, input.change);
  const resolved = await resolvePlan(deps, viewer, { ...input, change });
  await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, input.id);
    requireOperator(locked, viewer);
    if (locked.revision !== input.revision) {
      throw refuse('plan-changed', { field: 'revision' });
    }
    const revision = locked.revision + 1;
    const now = deps.clock();
    const plan = await storePlan(tx, deps, { id: locked.id, revision, resolved, plan: input });
    // Each plan has its own canaries: repeated edits must not change the fleet part by part without approval.
    const approvalFirst =
      resolved.needsApproval && (resolved.approvalFirst || (await hasSentChange(tx, locked.id)));
    await changeProgress(
      tx,
      locked,
      { kind: 'edit', needsApproval: resolved.needsApproval, approvalFirst },
      { attempt: 1, stateReason: '', tokenIssuedAt: now, updatedAt: now },
    );
    const rule = { needsApproval: resolved.needsApproval, approvalFirst };
    const authorization = await authorizePlan(
      deps,
      { id: locked.id, revision, ...plan, ...rule },
      { viewer, at: now },
    );
    await updateAirBlast(tx, locked.id, { ...plan, revision, authorization });
    await insertStep(tx, planStep(viewer, { id: locked.id, revision, now, resolved }));
    await recordAirBlast(
      tx,
      { ...locked, ...plan, revision },
      {
        type: 'air-blast.plan-edited',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        data: {
          ...planFacts(plan, resolved),
          targetSha256Before: locked.targetSha256,
          planSha256Before: locked.planSha256,
        },
      },
    );
  });
  return getAirBlast(deps, viewer, input.id);
}

/** Secrets never leave the server, so an edit that omits them keeps them. */
function withStoredSecrets(
  { vault }: Pick<AirBlastDeps, 'vault'>,
  run: AirBlastRecord,
  change: AirBlastChange,
): AirBlastChange {
  if (change.kind !== 'document' || change.document.split(':')[0] !== run.documentName) {
    return change;
  }
  const secret = secretNames(run);
  if (secret.length === 0) return change;
  const kept = Object.entries(vault.open(run.id, run.parameters)).filter(([name]) =>
    secret.includes(name),
  );
  return { ...change, parameters: { ...Object.fromEntries(kept), ...change.parameters } };
}

function planStep(
  viewer: Viewer,
  {
    id,
    revision,
    now,
    resolved,
  }: { id: string; revision: number; now: Date; resolved: ResolvedPlan },
): NewStep {
  return {
    airBlastId: id,
    revision,
    step: 'plan',
    attempt: 1,
    state: 'done',
    operatorId: viewer.userId,
    operator: viewer.username,
    startedAs: {},
    startedAt: now,
    endedAt: now,
    evidence: {
      total: resolved.targetCount,
      excluded: resolved.devices.length - resolved.targetCount,
      targetSha256: resolved.targetSha256,
    },
  };
}

const planFacts = (
  plan: Pick<
    AirBlastRecord,
    'documentName' | 'documentVersion' | 'maskedParameters' | 'storeParameters'
  >,
  resolved: ResolvedPlan,
) => ({
  document: `${plan.documentName}:${plan.documentVersion}`,
  parameters: plan.maskedParameters,
  ...(plan.storeParameters.length === 0
    ? {}
    : { storeParameters: plan.storeParameters.map(labelOf) }),
  component: resolved.component,
  version: resolved.version,
  consequence: resolved.consequence,
  targets: resolved.targetCount,
  excluded: resolved.devices.length - resolved.targetCount,
  needsApproval: resolved.needsApproval,
});
