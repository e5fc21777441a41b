import type { ExclusionReason } from '@deviceportal/contract/command-targets';
import type { Explanation, ReasonCode } from '@deviceportal/contract/explanations';
import { findExclusion, type ExclusionFacts } from '../commands/target/find-exclusion.ts';
import type { Viewer } from '../platform/viewer.ts';
import { deviceReasons } from './device-reasons.ts';
import { settle, type ExplainDeps } from './explain-deps.ts';
import { explainPermission } from './explain-permission.ts';
import type { ReasonDraft } from './reason-draft.ts';

/**
 * Why a command would exclude a device; empty if it would run on it.
 * @throws PortalError 4002, 2003, 6000
 */
export async function explainCommandTarget(
  deps: ExplainDeps,
  viewer: Viewer,
  wanted: { readonly command: string; readonly document: string; readonly deviceId: string },
): Promise<Explanation> {
  const facts = await findExclusion(deps, viewer, wanted);
  if (facts.exclusion === 'not-permitted') {
    return explainPermission(deps, viewer, {
      permission: facts.toRun.join(' | '),
      deviceId: facts.deviceId,
      command: wanted.command,
    });
  }
  return { about: null, reasons: await settle(deps, viewer, exclusionReasons(facts)) };
}

/** An offline device is not excluded: it runs the command when it reconnects. */
const leavesOut: ReadonlySet<string> = new Set([
  'device-suspended',
  'device-retired',
  'device-not-enrolled',
]);

/** Reasons that depend on the command, not on the device alone. */
const ofTheCommand: Readonly<Partial<Record<ExclusionReason, ReasonCode>>> = {
  'no-serial-number': 'device-no-serial-number',
  'needs-agent': 'command-needs-agent',
  'agent-too-old': 'ssm-agent-too-old',
};

function exclusionReasons(facts: ExclusionFacts): ReasonDraft[] {
  const { exclusion, deviceId, deviceName: device } = facts;
  if (exclusion === null) return [];
  const own = ofTheCommand[exclusion];
  if (own !== undefined) {
    const act = { kind: 'open-device', on: { deviceId, device } } as const;
    return [{ code: own, facts: { device }, act }];
  }
  return deviceReasons(facts).filter(({ code }) => leavesOut.has(code));
}
