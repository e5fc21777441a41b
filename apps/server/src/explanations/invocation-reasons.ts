import { INVOCATION_WAIT_LIMIT_MS } from '@deviceportal/contract/constants';
import type { Permission } from '@deviceportal/contract/permissions';
import type { InvocationReasonFacts } from '../commands/invocations/find-invocation-facts.ts';
import { deviceReasons } from './device-reasons.ts';
import type { ActionDraft, ReasonDraft } from './reason-draft.ts';

/** Permissions of an invocation. Any of them allows running the command, and so stopping it. */
export interface InvocationRights {
  readonly toRun: readonly Permission[];
}

/** Why a command on one device has not ended or did not succeed; empty if it succeeded. */
export function invocationReasons(
  facts: InvocationReasonFacts,
  rights: InvocationRights,
  now: Date,
): ReasonDraft[] {
  if (facts.state === 'Success') return skippedSteps(facts);
  if (facts.endedAt !== null) return [...ended(facts, rights), ...skippedSteps(facts)];
  if (facts.state === 'Cancelling') return cancelling(facts);
  return facts.state === 'InProgress' ? underWay(facts, rights, now) : queued(facts, rights);
}

function queued(facts: InvocationReasonFacts, rights: InvocationRights): ReasonDraft[] {
  const { runId, command, deliverBefore: until } = facts;
  const reasons: ReasonDraft[] = [];
  if (facts.runState === 'Approval') {
    const act: ActionDraft = { kind: 'open-run', on: { runId, command } };
    return [{ code: 'run-approval', since: facts.queuedAt, until, act }];
  }
  if (facts.runState === 'Paused') {
    reasons.push({
      code: 'run-paused',
      facts: { by: facts.pausedBy },
      since: facts.pausedAt,
      until,
      act: { kind: 'resume-run', on: { runId }, needs: rights.toRun },
    });
  }
  reasons.push(...deviceReasons(facts, until));
  if (reasons.length > 0) return reasons;
  const open: ActionDraft = { kind: 'open-run', on: { runId, command } };
  if (facts.isItsTurn) {
    return [{ code: 'about-to-be-sent', since: facts.queuedAt, until, act: open }];
  }
  return [
    {
      code: 'turn-not-reached',
      facts: { ahead: facts.ahead, running: facts.inProgressCount, places: facts.places },
      since: facts.queuedAt,
      until,
      act: open,
    },
  ];
}

function underWay(
  facts: InvocationReasonFacts,
  rights: InvocationRights,
  now: Date,
): ReasonDraft[] {
  const { id, startedAt, sentAt, newsAt, expiresAt: until, behind } = facts;
  const cancel: ActionDraft = {
    kind: 'cancel-invocation',
    on: { invocationId: id },
    needs: rights.toRun,
    device: facts,
  };
  const away = deviceReasons(facts, until);
  if (behind !== null) {
    const { invocationId, command, by } = behind;
    const on = { invocationId, command, deviceId: facts.deviceId };
    return [
      {
        code: 'behind-run',
        facts: { command, by },
        since: behind.startedAt,
        until,
        act: { kind: 'open-invocation', on },
      },
      ...away,
    ];
  }
  if (startedAt === null) {
    if (away.length > 0) return away;
    return [{ code: 'sent-unanswered', since: sentAt, until, act: cancel }];
  }
  const step = facts.steps.find(({ state }) => state === 'InProgress')?.name ?? null;
  const heardAt = newsAt ?? startedAt;
  const isSilent = now.getTime() - Date.parse(heardAt) > INVOCATION_WAIT_LIMIT_MS;
  return [
    ...away,
    isSilent
      ? { code: 'silent', facts: { step }, since: heardAt, until, act: cancel }
      : { code: 'running', facts: { step }, since: startedAt, until, act: cancel },
  ];
}

function cancelling(facts: InvocationReasonFacts): ReasonDraft[] {
  const { expiresAt: until, endedBy, deviceId, deviceName } = facts;
  return [
    {
      code: 'cancel-requested',
      facts: { by: endedBy?.by ?? null },
      since: facts.cancelRequestedAt,
      until,
      act: { kind: 'open-device', on: { deviceId, device: deviceName } },
    },
    ...deviceReasons(facts, until),
  ];
}

/** Repeats the command: the whole run if it was for one device, otherwise this device only. */
function againOf(facts: InvocationReasonFacts, toRun: readonly Permission[]): ActionDraft {
  const { runId, command, consequence, deviceId, deviceName, targetCount } = facts;
  return targetCount > 1
    ? { kind: 'run-command', on: { command, deviceId }, needs: toRun, device: facts }
    : {
        kind: 'retry-failed',
        on: { runId, command, consequence, target: deviceName, onlyFailed: 0 },
        needs: toRun,
        device: facts,
      };
}

function ended(facts: InvocationReasonFacts, { toRun }: InvocationRights): ReasonDraft[] {
  const { endedAt: since } = facts;
  const again = againOf(facts, toRun);
  switch (facts.statusDetails) {
    case 'Delivery Timed Out':
      return [
        { code: 'delivery-timed-out', since: facts.deliverBefore, act: again },
        ...deviceReasons(facts),
      ];
    case 'Execution Timed Out':
      return [{ code: 'execution-timed-out', facts: stepFacts(facts), since, act: again }];
    case 'Cancelled':
      return [{ code: 'cancelled', facts: { by: facts.endedBy?.by ?? null }, since, act: again }];
    case 'Terminated':
      return terminated(facts, again);
    case 'Undeliverable':
      return undeliverable(facts, again);
    case 'Invalid Platform':
      return [
        {
          code: 'invalid-platform',
          facts: { platform: facts.platform },
          since,
          act: {
            kind: 'open-document',
            on: { name: facts.documentName, version: facts.documentVersion },
          },
        },
      ];
    case 'Access Denied':
      if (facts.sentAt === null) return [{ code: 'right-ended', since, act: again }];
      return [{ code: 'access-denied', since, act: { kind: 'open-device', on: deviceOf(facts) } }];
    default:
      return [{ code: 'failed', facts: stepFacts(facts), since, act: again }];
  }
}

function terminated(facts: InvocationReasonFacts, again: ActionDraft): ReasonDraft[] {
  const { endedAt: since, endedBy } = facts;
  if (endedBy?.reason === 'device-retired') {
    const act: ActionDraft = { kind: 'open-device', on: deviceOf(facts) };
    return [{ code: 'device-retired', facts: { device: facts.deviceName }, since, act }];
  }
  if (endedBy?.reason === 'max-errors') {
    const { errorCount: errors, maxErrors } = facts;
    return [{ code: 'too-many-errors', facts: { errors, maxErrors }, since, act: again }];
  }
  return [{ code: 'terminated', since, act: again }];
}

function undeliverable(facts: InvocationReasonFacts, again: ActionDraft): ReasonDraft[] {
  const { endedAt: since, endedBy, deviceId } = facts;
  if (endedBy?.reason !== 'agent-outdated')
    return [{ code: 'instance-superseded', since, act: again }];
  const act: ActionDraft = {
    kind: 'run-command',
    on: { command: 'agent/update', deviceId },
    needs: ['commands:run:@changes', 'commands:run:agent/update'],
    device: facts,
  };
  return [{ code: 'agent-outdated', since, act }];
}

const deviceOf = ({ deviceId, deviceName }: InvocationReasonFacts) => ({
  deviceId,
  device: deviceName,
});

/** The step that ended the invocation, with its reason if there is one. */
function stepFacts({ steps, responseCode }: InvocationReasonFacts) {
  const step = steps.findLast(({ state }) => state === 'Failed' || state === 'TimedOut');
  return {
    step: step?.name ?? null,
    exitCode: step?.exitCode ?? responseCode,
    reason: step?.reason ?? null,
  };
}

/** Steps that were skipped because their precondition on the device was false. */
function skippedSteps(facts: InvocationReasonFacts): ReasonDraft[] {
  const { documentName: name, documentVersion: version, endedAt: since } = facts;
  return facts.steps
    .filter(({ state, reason }) => state === 'Skipped' && reason !== null && isCondition(reason))
    .map((step) => ({
      code: 'precondition-false',
      facts: { step: step.name, reason: step.reason, platform: facts.platform },
      since,
      act: { kind: 'open-document', on: { name, version } },
    }));
}

/** As worded by the agent (`apps/agent/src/document/run-document.ts`). */
const isCondition = (reason: string): boolean =>
  reason.startsWith('not for ') || reason.includes('precondition');
