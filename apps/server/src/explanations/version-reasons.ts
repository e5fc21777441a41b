import type { VersionFacts } from '../versions/find-version-facts.ts';
import { deviceReasons } from './device-reasons.ts';
import type { ActionDraft, ReasonDraft } from './reason-draft.ts';

/** An older report can be out of date. */
const OLD_REPORT_MS = 24 * 3_600_000;

/** Why a component is not on its version: reasons of the version first, then those that block any change. */
export function versionReasons(facts: VersionFacts, now: Date): ReasonDraft[] {
  return [...aboutVersion(facts, now), ...deviceReasons(facts), ...aboutReport(facts, now)];
}

function actsOf({ component, approved, deviceId, deviceName }: VersionFacts) {
  const rollOut: ActionDraft = {
    kind: 'roll-out',
    on: { deviceId, device: deviceName, component, version: approved ?? '' },
    needs: ['air-blast:run'],
  };
  const approve: ActionDraft = {
    kind: 'approve-version',
    on: { component },
    needs: ['versions:manage'],
  };
  return { rollOut, approve };
}

function aboutVersion(facts: VersionFacts, now: Date): ReasonDraft[] {
  const { installed, approved, approvedAt, since, model, country, state } = facts;
  const { rollOut, approve } = actsOf(facts);
  const reasons: ReasonDraft[] = [];
  if (state === 'blocked') {
    const act = approved === null ? approve : rollOut;
    reasons.push({ code: 'version-blocked', facts: { installed }, since, act });
  }
  if (approved === null) {
    const act = state === 'blocked' ? null : approve;
    return [...reasons, { code: 'nothing-approved', facts: { model, country }, act }];
  }
  const versions = { installed, approved };
  if (state === 'behind') {
    reasons.push({ code: 'version-behind', facts: versions, since: approvedAt, act: rollOut });
  }
  if (state === 'ahead') {
    reasons.push({ code: 'version-ahead', facts: versions, since, act: approve });
  }
  if (state === 'not-approved') {
    reasons.push({ code: 'version-differs', facts: versions, since, act: rollOut });
  }
  return state === 'ahead' ? reasons : [...reasons, ...aboutApproved(facts, now)];
}

function aboutApproved(facts: VersionFacts, now: Date): ReasonDraft[] {
  const { component, approved, mandatoryFrom, artifactSha256 } = facts;
  const { rollOut } = actsOf(facts);
  const reasons: ReasonDraft[] = [];
  if (mandatoryFrom !== null) {
    const isLate = Date.parse(mandatoryFrom) <= now.getTime();
    reasons.push(
      isLate
        ? { code: 'version-overdue', facts: { approved }, since: mandatoryFrom, act: rollOut }
        : {
            code: 'version-not-yet-mandatory',
            facts: { approved },
            until: mandatoryFrom,
            act: rollOut,
          },
    );
  }
  if (artifactSha256 === null) {
    const act: ActionDraft = {
      kind: 'upload-artifact',
      on: { component },
      needs: ['versions:manage'],
    };
    reasons.push({ code: 'no-artifact', facts: { approved }, act });
  }
  return reasons;
}

function aboutReport(facts: VersionFacts, now: Date): ReasonDraft[] {
  const { deviceId, waiting, reportedAt } = facts;
  const reasons: ReasonDraft[] = [];
  if (waiting > 0) {
    const act: ActionDraft = { kind: 'open-device', on: { deviceId, tab: 'commands' } };
    reasons.push({ code: 'commands-waiting', facts: { waiting }, act });
  }
  if (reportedAt !== null && now.getTime() - Date.parse(reportedAt) > OLD_REPORT_MS) {
    const command = 'software/inventory';
    const act: ActionDraft = {
      kind: 'run-command',
      on: { command, deviceId },
      needs: [`commands:run:${command}`, 'commands:run:@reads'],
      device: facts,
    };
    reasons.push({ code: 'report-old', since: reportedAt, act });
  }
  return reasons;
}
