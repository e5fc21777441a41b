import type {
  AirBlastApproval,
  AirBlastDetail,
  AirBlastDocument,
  AirBlastFacts,
  AirBlastNextStep,
  AirBlastRow,
  AirBlastStepRecord,
} from '@deviceportal/contract/air-blast';
import { AIR_BLAST_NEXT_STEP_VALIDITY_MS } from '@deviceportal/contract/constants';
import { holds } from '@deviceportal/contract/permissions';
import type { EffectDocument } from '../commands/effect/planned-effect.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { decide, nextStepOf, type AirBlastEvent } from './air-blast-state-machine.ts';
import { selectApprovals, type ApprovalRow } from './data/approval-queries.ts';
import { selectSteps, type StepRow } from './data/step-queries.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';
import { requireAirBlast } from './change-progress.ts';
import { mayLeaveOut } from './steps/leave-out-policy.ts';
import { hasApproved, isSecondPerson, mayTakeOver } from './operator-policy.ts';
import { changesSinceApproval } from './plan/changes-since-approval.ts';
import { countQueuedForOffline } from './data/waves/offline-queries.ts';
import { countDevicesOf } from './steps/prepare-step.ts';
import { readGate } from './steps/read-gate.ts';
import { labelOf } from './plan/store-parameters.ts';
import { countReasons, countReport, countUnchecked } from './data/targets/target-count-queries.ts';
import { selectWarnings } from './data/version-warning-queries.ts';
import { selectWaveProgress } from './data/waves/wave-queries.ts';

/** A rollout with what the viewer can see and do. @throws PortalError 2003 */
export async function getAirBlast(
  deps: AirBlastDeps,
  viewer: Viewer,
  id: string,
): Promise<AirBlastDetail> {
  const { orm } = deps.database;
  const run = await requireAirBlast(orm, viewer, id);
  const [facts, steps] = await Promise.all([
    readFacts(orm, run, (name) => maskUser(name, viewer)),
    selectSteps(orm, run),
  ]);
  const mine = run.operatorId === viewer.userId;
  const changes = await changesSinceApproval(orm, viewer, run);
  return {
    ...facts,
    offered: run.offered,
    mine,
    changesSinceApproval: changes,
    roleExpiresAt: mine ? (run.roleExpiresAt?.toISOString() ?? null) : null,
    nextStep: mine ? await nextStep(deps, run) : null,
    may: permittedActions(run, viewer, {
      steps,
      ...(await peopleRules(orm, run, viewer)),
      now: deps.clock(),
    }),
    serverTime: deps.clock().toISOString(),
  };
}

/** @param shown masks a name that the viewer cannot see */
export async function readFacts(
  executor: Executor,
  run: AirBlastRecord,
  shown: (name: string) => string,
): Promise<AirBlastFacts> {
  const [steps, approvals, waves, reasons, warnings, report] = await Promise.all([
    selectSteps(executor, run),
    selectApprovals(executor, run.id),
    selectWaveProgress(executor, run),
    countReasons(executor, run),
    run.endedAt === null ? selectWarnings(executor, run) : [],
    countReport(executor, run),
  ]);
  return {
    ...airBlastRowOf(run, shown),
    reason: run.reason,
    revision: run.revision,
    documentName: run.documentName,
    documentVersion: run.documentVersion,
    component: run.component,
    version: run.version,
    parameters: run.maskedParameters,
    storeParameters: run.storeParameters.map(labelOf),
    options: run.options,
    targetSha256: run.targetSha256,
    excluded: reasons.excluded,
    noGo: reasons.noGo,
    warnings,
    unchecked: await readUnchecked(executor, run, steps),
    radius: run.radius,
    predictedDurationMs: run.predictedDurationMs,
    planSha256: run.planSha256,
    documents: documentsOf(run.effect),
    needsApproval: run.needsApproval,
    approvalFirst: run.approvalFirst,
    approvals: approvals.map((one) => approvalOf(one, run, shown)),
    steps: steps.map((one) => stepOf(one, shown)),
    waves,
    report,
    gate: await readGate(executor, run, report),
    away: run.stepState === 'running' ? await countQueuedForOffline(executor, run) : 0,
    stateReason: run.stateReason,
  };
}

function documentsOf(effect: AirBlastRecord['effect']): AirBlastDocument[] {
  if (effect === null) return [];
  const shown =
    (use: AirBlastDocument['use']) =>
    ({ name, version, sha256 }: EffectDocument): AirBlastDocument => ({
      ...{ use, name, version, sha256 },
    });
  return [
    shown('change')(effect.document),
    ...effect.subDocuments.map(shown('sub-document')),
    ...effect.verification.map(shown('verification')),
  ];
}

/** Until preflight the current number; afterwards the number that preflight recorded. */
async function readUnchecked(
  executor: Executor,
  run: AirBlastRecord,
  steps: readonly StepRow[],
): Promise<number> {
  if (run.step === 'plan') return countUnchecked(executor, run);
  const found = steps.findLast(({ step }) => step === 'preflight')?.evidence['unchecked'];
  return typeof found === 'number' ? found : 0;
}

export function airBlastRowOf(run: AirBlastRecord, shown: (name: string) => string): AirBlastRow {
  return {
    id: run.id,
    name: run.name,
    state: run.state,
    step: run.step,
    stepState: run.stepState,
    change:
      run.component === null
        ? `${run.documentName}:${run.documentVersion}`
        : `${run.component} ${run.version ?? ''}`,
    consequence: run.consequence,
    targetCount: run.targetCount,
    operatorId: run.operatorId,
    operator: shown(run.operator),
    createdAt: run.createdAt.toISOString(),
    updatedAt: run.updatedAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  };
}

const stepOf = (step: StepRow, shown: (name: string) => string): AirBlastStepRecord => ({
  step: step.step,
  attempt: step.attempt,
  state: step.state,
  operator: shown(step.operator),
  startedAt: step.startedAt.toISOString(),
  endedAt: step.endedAt?.toISOString() ?? null,
  evidence: shownEvidence(step.evidence, shown),
});

function shownEvidence(
  evidence: StepRow['evidence'],
  shown: (name: string) => string,
): StepRow['evidence'] {
  const { leftOutBy } = evidence;
  return typeof leftOutBy === 'string' ? { ...evidence, leftOutBy: shown(leftOutBy) } : evidence;
}

const approvalOf = (
  one: ApprovalRow,
  run: AirBlastRecord,
  shown: (name: string) => string,
): AirBlastApproval => ({
  decision: one.decision,
  by: shown(one.by),
  at: one.at.toISOString(),
  comment: one.comment,
  planSha256: one.planSha256,
  valid:
    one.revision === run.revision &&
    one.planSha256 === run.planSha256 &&
    (one.decision === 'rejected' || run.approved),
});

/** The current token, returned on each request until it expires, so that a closed browser loses nothing. */
async function nextStep(deps: AirBlastDeps, run: AirBlastRecord): Promise<AirBlastNextStep | null> {
  const step = nextStepOf(run);
  if (step === null) return null;
  const { id, operatorId, targetSha256, revision, tokenIssuedAt } = run;
  const devices = await countDevicesOf(deps.database.orm, run, step);
  if (tokenIssuedAt === null) return { step, devices, token: null, expiresAt: null };
  const expiresAt = new Date(tokenIssuedAt.getTime() + AIR_BLAST_NEXT_STEP_VALIDITY_MS);
  if (expiresAt <= deps.clock()) {
    return { step, devices, token: null, expiresAt: expiresAt.toISOString() };
  }
  const claims = { runId: id, step, operatorId, targetSha256, revision };
  const { token } = await deps.tokens.issue(claims, tokenIssuedAt);
  return { step, devices, token, expiresAt: expiresAt.toISOString() };
}

interface PeopleRules {
  readonly isSecondPerson: boolean;
  readonly hasApproved: boolean;
}

async function peopleRules(
  executor: Executor,
  run: AirBlastRecord,
  { userId }: Viewer,
): Promise<PeopleRules> {
  const [second, approver] = await Promise.all([
    isSecondPerson(executor, run, userId),
    hasApproved(executor, run, userId),
  ]);
  return { isSecondPerson: second, hasApproved: approver };
}

function permittedActions(
  run: AirBlastRecord,
  viewer: Viewer,
  { steps, now, ...rules }: { steps: readonly StepRow[]; now: Date } & PeopleRules,
): AirBlastDetail['may'] {
  const mine = run.operatorId === viewer.userId;
  const allowed = (event: AirBlastEvent): boolean => 'next' in decide(run, event);
  const operates = holds(viewer.grants, 'air-blast:run');
  return {
    approve:
      holds(viewer.grants, 'air-blast:approve') &&
      allowed({ kind: 'approve' }) &&
      rules.isSecondPerson,
    takeOver: operates && mayTakeOver(run, viewer, now) && !rules.hasApproved,
    edit: mine && operates && allowed({ ...run, kind: 'edit' }),
    pause: mine && operates && allowed({ kind: 'pause' }),
    resume: mine && operates && allowed({ kind: 'resume' }),
    abort: mine && operates && allowed({ kind: 'abort' }),
    retry: mine && operates && allowed({ kind: 'retry' }),
    leaveOut:
      mine && operates && allowed({ kind: 'leave-out', hasRest: true }) && mayLeaveOut(run, steps),
    rollBack: operates && steps.some(({ step }) => step === 'canary'),
  };
}
