import {
  airBlastSteps,
  type AirBlastDetail,
  type AirBlastWave,
} from '@deviceportal/contract/air-blast';
import type { ReasonActKind } from '@deviceportal/contract/explanations';
import type { ActionDraft, ReasonDraft } from './reason-draft.ts';

/** Why an AirBlast rollout is not finished; empty if it is. */
export function airBlastReasons(run: AirBlastDetail, now: Date): ReasonDraft[] {
  switch (run.state) {
    case 'done':
      return [];
    case 'aborted':
      return [aborted(run)];
    case 'failed':
      return [failed(run)];
    case 'paused':
      return [paused(run), ...underWay(run)];
    case 'approval':
      return [approval(run)];
    default:
      return run.stepState === 'running' ? underWay(run) : waitsForOperator(run, now);
  }
}

const on = ({ id }: AirBlastDetail) => ({ airBlastId: id });
/** Only the operator can do this. If the run does not allow it now, the action is to view the run. */
const operate = (run: AirBlastDetail, kind: ReasonActKind, allowed: boolean): ActionDraft =>
  allowed || !run.mine
    ? { kind, on: on(run), needs: ['air-blast:run'], allowed, whose: run.operator }
    : open(run);
const open = (run: AirBlastDetail): ActionDraft => ({ kind: 'open-air-blast', on: on(run) });

function aborted(run: AirBlastDetail): ReasonDraft {
  const facts = { reason: run.stateReason || null, by: run.operator };
  return { code: 'air-blast-aborted', facts, since: run.updatedAt, act: open(run) };
}

function paused(run: AirBlastDetail): ReasonDraft {
  return {
    code: 'air-blast-paused',
    facts: { by: run.operator, reason: run.stateReason || null },
    since: run.updatedAt,
    act: operate(run, 'resume-air-blast', run.may.resume),
  };
}

function failed(run: AirBlastDetail): ReasonDraft {
  const verdict = run.approvals.findLast(({ valid }) => valid);
  if (verdict?.decision === 'rejected' && run.stepState !== 'failed') {
    return {
      code: 'air-blast-rejected',
      facts: { by: verdict.by, comment: verdict.comment || null },
      since: verdict.at,
      act: operate(run, 'edit-air-blast', run.may.edit),
    };
  }
  const step = run.steps.findLast(({ state }) => state === 'failed');
  const numberOf = (name: string): number | null => {
    const value = step?.evidence[name];
    return typeof value === 'number' ? value : null;
  };
  return {
    code: 'air-blast-failed',
    facts: {
      step: run.step,
      reason: run.stateReason || null,
      failed: numberOf('failed'),
      total: numberOf('total'),
    },
    since: step?.endedAt ?? run.updatedAt,
    act: operate(run, 'retry-air-blast', run.may.retry),
  };
}

function approval(run: AirBlastDetail): ReasonDraft {
  const canary = run.steps.findLast(({ step, state }) => step === 'canary' && state === 'done');
  return {
    code: 'air-blast-approval',
    facts: { devices: run.targetCount, hash: run.targetSha256.slice(0, 12) },
    since: canary?.endedAt ?? run.updatedAt,
    act: {
      kind: 'approve-air-blast',
      on: on(run),
      needs: ['air-blast:approve'],
      allowed: run.may.approve,
    },
  };
}

/** The current wave, or what the step waits for after the last wave. */
function underWay(run: AirBlastDetail): ReasonDraft[] {
  if (run.stepState !== 'running') return [];
  const step = run.steps.findLast((one) => one.step === run.step);
  const waves = run.waves.filter(
    (wave) => wave.step === run.step && wave.attempt === (step?.attempt ?? 1),
  );
  const out = waves.find(({ openedAt, endedAt }) => openedAt !== null && endedAt === null);
  if (out !== undefined) return [waveReason(run, { out, waves })];
  const since = step?.startedAt ?? null;
  const lastEndMs = Math.max(
    step === undefined ? 0 : Date.parse(step.startedAt),
    ...waves.map(({ endedAt }) => (endedAt === null ? 0 : Date.parse(endedAt))),
  );
  const after = (seconds: number): string => new Date(lastEndMs + seconds * 1_000).toISOString();
  const haveEnded = waves.length > 0 && waves.every(({ endedAt }) => endedAt !== null);
  if (run.step === 'canary' && haveEnded) {
    const until = after(run.options.soakSeconds);
    return [{ code: 'air-blast-soak', since, until, act: open(run) }];
  }
  if (run.step === 'verify') {
    const until = after(run.options.verifySeconds);
    return [{ code: 'air-blast-verifying', since, until, act: open(run) }];
  }
  return [{ code: 'air-blast-running', facts: { step: run.step }, since, act: open(run) }];
}

function waveReason(
  run: AirBlastDetail,
  { out, waves }: { readonly out: AirBlastWave; readonly waves: readonly AirBlastWave[] },
): ReasonDraft {
  const { counters, wave, devices, openedAt, runId } = out;
  const isOpen = (counters?.pending ?? devices) + (counters?.inProgress ?? 0);
  const rest = { devices, open: isOpen };
  const of = { wave, waves: waves.length, ...rest, maxErrors: run.options.maxErrors };
  return {
    ...(run.step !== 'blast'
      ? { code: 'air-blast-step-devices', facts: { step: run.step, ...rest } }
      : { code: wave < waves.length ? 'air-blast-wave' : 'air-blast-last-wave', facts: of }),
    since: openedAt,
    act: runId === null ? open(run) : { kind: 'open-run', on: { runId, command: 'document' } },
  };
}

/** A step has ended, and the operator must continue. */
function waitsForOperator(run: AirBlastDetail, now: Date): ReasonDraft[] {
  const { mine, operator, nextStep, roleExpiresAt } = run;
  // Only the operator sees the token; the step that it is for is visible to all.
  const step = airBlastSteps[airBlastSteps.indexOf(run.step) + 1] ?? null;
  const since = run.updatedAt;
  if (!mine) {
    const act: ActionDraft = {
      kind: 'take-over-air-blast',
      on: on(run),
      needs: ['air-blast:run'],
      allowed: run.may.takeOver,
      whose: operator,
    };
    return [{ code: 'air-blast-next-step', facts: { step, operator }, since, act }];
  }
  // The page of the run shows role and authorization with their expiry and buttons.
  const own = { facts: { step }, act: open(run) };
  if (roleExpiresAt === null) return [{ code: 'air-blast-role-needed', since, ...own }];
  if (Date.parse(roleExpiresAt) <= now.getTime()) {
    return [{ code: 'air-blast-role-ended', since: roleExpiresAt, ...own }];
  }
  if (nextStep !== null && nextStep.token === null) {
    return [{ code: 'air-blast-token-ended', since: nextStep.expiresAt, ...own }];
  }
  const until = nextStep?.expiresAt ?? null;
  return [{ code: 'air-blast-your-step', since, until, ...own }];
}
