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
  holdAirBlast,
  recordAirBlast,
  requireAirBlast,
  requireOperator,
} from '../change-progress.ts';
import { freezePlan, storePlan, type FrozenPlan } from './freeze-plan.ts';
import { getAirBlast } from '../get-air-blast.ts';
import { secretNames } from './get-plan.ts';
import { authorizePlan } from './plan-authorization.ts';
import { labelOf } from './plan-store.ts';
import { hasSentChange } from '../data/targets/target-set-queries.ts';

/**
 * The first step: freezes the target set with its exclusions, and hands on the token of the second. The same
 * idempotency key again answers the run that exists.
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
  const frozen = await freezePlan(deps, viewer, input);
  const now = deps.clock();
  const id = newId(now.getTime());
  const made = await inTransaction(deps.database, async (tx) => {
    const existing = openRolloutsOf(viewer.userId, input.idempotencyKey).getSQL();
    await requireRoom(tx, { limit: 'openRollouts', of: viewer.userId, existing });
    const plan = await storePlan(tx, deps, { id, revision: 1, frozen, plan: input });
    const progress = planned(frozen);
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
    await insertStep(tx, planStep(viewer, { id, revision: 1, now, frozen }));
    await recordAirBlast(
      tx,
      { id, revision: 1, ...plan },
      {
        type: 'air-blast.planned',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        data: planFacts(plan, frozen),
      },
    );
    return id;
  }).catch(async (error: unknown) => {
    if (!(error instanceof SameKeyError)) throw error;
    return (await findIdByKey(deps.database.orm, viewer.userId, input.idempotencyKey)) ?? id;
  });
  return getAirBlast(deps, viewer, made);
}

/** Undoes what a second request with the same key has begun. */
class SameKeyError extends Error {}

/**
 * Another plan for the same run: a new target set, so approvals of the old one are void and its steps are done again.
 *
 * @throws PortalError 2003, 1000, 2004 (also when somebody else has changed it), 4001, 6000
 */
export async function editAirBlast(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: z.infer<typeof editAirBlastInput> & { readonly origin: RequestOrigin },
): Promise<AirBlastDetail> {
  const before = await requireAirBlast(deps.database.orm, viewer, input.id);
  requireOperator(before, viewer);
  const change = withKeptSecrets(deps, before, input.change);
  const frozen = await freezePlan(deps, viewer, { ...input, change });
  await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, input.id);
    requireOperator(held, viewer);
    if (held.revision !== input.revision) {
      throw refuse('plan-changed', { field: 'revision' });
    }
    const revision = held.revision + 1;
    const now = deps.clock();
    const plan = await storePlan(tx, deps, { id: held.id, revision, frozen, plan: input });
    // Each plan has canaries of its own: editing must not be a way to reach one part of the fleet after the other.
    const approvalFirst =
      frozen.needsApproval && (frozen.approvalFirst || (await hasSentChange(tx, held.id)));
    await changeProgress(
      tx,
      held,
      { kind: 'edit', needsApproval: frozen.needsApproval, approvalFirst },
      { attempt: 1, stateReason: '', tokenIssuedAt: now, updatedAt: now },
    );
    const rule = { needsApproval: frozen.needsApproval, approvalFirst };
    const authorization = await authorizePlan(
      deps,
      { id: held.id, revision, ...plan, ...rule },
      { viewer, at: now },
    );
    await updateAirBlast(tx, held.id, { ...plan, revision, authorization });
    await insertStep(tx, planStep(viewer, { id: held.id, revision, now, frozen }));
    await recordAirBlast(
      tx,
      { ...held, ...plan, revision },
      {
        type: 'air-blast.plan-edited',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        data: {
          ...planFacts(plan, frozen),
          targetSha256Before: held.targetSha256,
          planSha256Before: held.planSha256,
        },
      },
    );
  });
  return getAirBlast(deps, viewer, input.id);
}

/** Secrets never leave the server: who edits other things of the plan need not type them again. */
function withKeptSecrets(
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
  { id, revision, now, frozen }: { id: string; revision: number; now: Date; frozen: FrozenPlan },
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
      total: frozen.targetCount,
      excluded: frozen.devices.length - frozen.targetCount,
      targetSha256: frozen.targetSha256,
    },
  };
}

const planFacts = (
  plan: Pick<
    AirBlastRecord,
    'documentName' | 'documentVersion' | 'maskedParameters' | 'storeParameters'
  >,
  frozen: FrozenPlan,
) => ({
  document: `${plan.documentName}:${plan.documentVersion}`,
  parameters: plan.maskedParameters,
  ...(plan.storeParameters.length === 0
    ? {}
    : { storeParameters: plan.storeParameters.map(labelOf) }),
  component: frozen.component,
  version: frozen.version,
  consequence: frozen.consequence,
  targets: frozen.targetCount,
  excluded: frozen.devices.length - frozen.targetCount,
  needsApproval: frozen.needsApproval,
});
