import type { Permission } from '@deviceportal/contract/permissions';
import { countedAsErrors, limitOf, placesOf } from '../commands/execution/run-state-machine.ts';
import type { OpenGroup, RunReasonFacts } from '../commands/find-run-facts.ts';
import type { ActionDraft, ReasonDraft } from './reason-draft.ts';

/** Why a run on many devices has not ended or did not succeed; empty if it succeeded. */
export function runReasons(
  facts: RunReasonFacts,
  { toRun }: { readonly toRun: readonly Permission[] },
): ReasonDraft[] {
  const { run } = facts;
  if (run.state === 'Approval') {
    const act: ActionDraft = { kind: 'open-run', on: { runId: run.id, command: run.command } };
    return [{ code: 'run-approval', since: run.createdAt, until: run.expiresAt, act }];
  }
  return run.endedAt === null
    ? [
        ...held(facts, toRun),
        ...facts.open.map((group) => openReason(group, facts)),
        ...failures(facts),
      ]
    : ended(facts, toRun);
}

function held({ run, cancelledBy }: RunReasonFacts, toRun: readonly Permission[]): ReasonDraft[] {
  const until = run.expiresAt;
  if (run.paused !== null) {
    const act: ActionDraft = { kind: 'resume-run', on: { runId: run.id }, needs: toRun };
    return [{ code: 'run-paused', facts: { by: run.paused.by }, since: run.paused.at, until, act }];
  }
  if (run.state !== 'Cancelling') return [];
  return [
    {
      code: 'run-cancelling',
      facts: { by: cancelledBy?.by ?? null },
      since: cancelledBy?.at ?? null,
      until,
      act: { kind: 'open-run', on: { runId: run.id, command: run.command } },
    },
  ];
}

const codeOf = {
  offline: 'run-devices-offline',
  suspended: 'run-devices-suspended',
  waiting: 'run-devices-waiting',
  running: 'run-devices-running',
} as const;

function openReason(group: OpenGroup, { run, rampLimit, openIsMore }: RunReasonFacts): ReasonDraft {
  const { cause, count, since, deviceId, device, invocationId } = group;
  const { command } = run;
  const places = placesOf({
    maxConcurrency: run.maxConcurrency,
    targetCount: run.counters.target,
    rampLimit,
  });
  const isAway = cause === 'offline' || cause === 'suspended';
  return {
    code: codeOf[cause],
    facts: {
      count,
      more: Number(openIsMore),
      device,
      places: places.now,
      limit: places.limit,
      ramps: Number(places.now < places.limit),
    },
    since,
    until: run.expiresAt,
    act: isAway
      ? { kind: 'open-device', on: { deviceId, device } }
      : { kind: 'open-invocation', on: { invocationId, command, deviceId } },
  };
}

function ended(facts: RunReasonFacts, toRun: readonly Permission[]): ReasonDraft[] {
  const { run, cancelledBy, rejectedBy } = facts;
  const { id: runId, command, consequence, counters } = run;
  if (run.statusDetails === 'No Instances In Tag') {
    const act: ActionDraft = { kind: 'run-now', on: { command } };
    return [{ code: 'run-no-devices', since: run.endedAt, act }];
  }
  if (run.state === 'Success') return [];
  if (rejectedBy !== null) {
    const { by, comment, at } = rejectedBy;
    const act: ActionDraft = { kind: 'run-now', on: { command } };
    return [{ code: 'run-rejected', facts: { by, comment }, since: at, act }];
  }
  const missed = counters.failed + counters.timedOut + counters.cancelled;
  const act: ActionDraft = {
    kind: 'retry-failed',
    on: { runId, command, consequence, target: missed, onlyFailed: 1 },
    needs: toRun,
  };
  const since = run.endedAt;
  const details = failures(facts);
  const errors = facts.ended
    .filter(({ statusDetails }) => countedAsErrors.includes(statusDetails))
    .reduce((sum, { count }) => sum + count, 0);
  const stopped = facts.ended.find(({ statusDetails }) => statusDetails === 'Terminated');
  if (stopped !== undefined && errors > limitOf(run.maxErrors, counters.target, 0)) {
    const { maxErrors } = run;
    const values = { errors, maxErrors, terminated: stopped.count };
    return [{ code: 'run-too-many-errors', facts: values, since, act }, ...details];
  }
  if (cancelledBy !== null && run.state === 'Cancelled') {
    return [
      { code: 'run-cancelled', facts: { by: cancelledBy.by }, since: cancelledBy.at, act },
      ...details,
    ];
  }
  const values = { missed, target: counters.target };
  return [{ code: 'run-not-successful', facts: values, since, act }, ...details];
}

/** One reason per way of failing, with an example device. */
function failures({ run, ended: groups }: RunReasonFacts): ReasonDraft[] {
  return groups.map(({ statusDetails, count, invocationId, deviceId, device }) => ({
    code: 'run-devices-ended',
    facts: { count, device, details: statusDetails },
    act: { kind: 'open-invocation', on: { invocationId, command: run.command, deviceId } },
  }));
}
