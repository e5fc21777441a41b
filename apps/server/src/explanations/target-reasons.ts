import type { TargetReasonFacts } from '../air-blast/plan/find-target-facts.ts';
import { deviceReasons } from './device-reasons.ts';
import type { ActionDraft, ReasonDraft } from './reason-draft.ts';

/**
 * Why a device of an AirBlast rollout has not been changed or is not on the intended version. The reasons of its own
 * command are added by the caller.
 */
export function targetReasons(facts: TargetReasonFacts): ReasonDraft[] {
  if (facts.exclusion !== null) return excluded(facts, facts.exclusion);
  if (facts.noGo.length > 0) return facts.noGo.flatMap((reason) => blockedReasons(facts, reason));
  if (facts.invocationId === null) return waits(facts);
  if (facts.verified !== false) return [];
  const command = 'software/inventory';
  return [
    {
      code: 'target-not-verified',
      facts: { reported: facts.reportedVersion, intended: facts.run.version },
      act: {
        kind: 'run-command',
        on: { command, deviceId: facts.deviceId },
        needs: [`commands:run:${command}`, 'commands:run:@reads'],
        device: facts,
      },
    },
  ];
}

const openDevice = ({ deviceId, deviceName }: TargetReasonFacts): ActionDraft => ({
  kind: 'open-device',
  on: { deviceId, device: deviceName },
});

function excluded(facts: TargetReasonFacts, reason: string): ReasonDraft[] {
  const byDevice = deviceReasons(facts).filter(({ code }) => code !== 'device-offline');
  if (['suspended', 'retired', 'no-instance'].includes(reason) && byDevice.length > 0) {
    return byDevice;
  }
  const act: ActionDraft =
    reason === 'not-permitted'
      ? {
          kind: 'request-access',
          on: { permission: `commands:run:@${facts.run.consequence}` },
          otherwise: openDevice(facts),
        }
      : openDevice(facts);
  return [{ code: 'target-excluded', facts: { reason }, since: startOf(facts), act }];
}

function blockedReasons(facts: TargetReasonFacts, reason: string): ReasonDraft[] {
  if (reason === 'offline' || reason === 'lifecycle') {
    const byDevice = deviceReasons(facts);
    if (byDevice.length > 0) return byDevice;
  }
  const { platform, model, country, diskUsedPercent, run } = facts;
  return [
    {
      code: 'target-no-go',
      facts: {
        reason,
        platform,
        model,
        country,
        used: diskUsedPercent === null ? null : Math.round(diskUsedPercent),
        most: run.options.maxDiskUsedPercent,
      },
      since: startOf(facts),
      act: helpFor(facts, reason),
    },
  ];
}

function helpFor(facts: TargetReasonFacts, reason: string): ActionDraft {
  if (reason === 'conflicting-run' && facts.otherRun !== null) {
    return { kind: 'open-run', on: facts.otherRun };
  }
  if (reason !== 'disk-full') return openDevice(facts);
  const command = 'storage/clean';
  return {
    kind: 'run-command',
    on: { command, deviceId: facts.deviceId },
    needs: [`commands:run:${command}`, 'commands:run:@changes'],
    device: facts,
  };
}

function waits(facts: TargetReasonFacts): ReasonDraft[] {
  const { run, waitsForWave: wave } = facts;
  if (run.endedAt !== null) return [];
  const act: ActionDraft = { kind: 'open-air-blast', on: { airBlastId: run.id } };
  if (wave !== null) {
    return [{ code: 'target-waits-wave', facts: { wave }, since: startOf(facts), act }];
  }
  return [{ code: 'target-waits-step', facts: { step: run.step }, since: startOf(facts), act }];
}

const startOf = ({ run }: TargetReasonFacts): string => run.createdAt.toISOString();
