import type { Verdict } from '@deviceportal/contract/devices';
import type { InvocationState, StatusDetails } from '@deviceportal/contract/states';

export interface EndedCommand {
  readonly command: string;
  readonly state: InvocationState;
  readonly statusDetails: StatusDetails;
}

export interface SuggestedRemedy {
  readonly command: string;
  readonly reason: 'succeeded' | 'failed' | 'verdict';
  readonly verdict: Verdict | null;
}

/** Typical next commands after a successful one. */
const afterSuccess: Readonly<Record<string, readonly string[]>> = {
  'storage/usage': ['storage/clean'],
  'storage/clean': ['storage/usage'],
  'process/top': ['process/kill'],
  'process/kill': ['process/top'],
  'service/status': ['restart/service'],
  'logs/tail': ['logs/collect'],
  'config/show': ['config/set'],
  'config/set': ['restart/agent'],
  'restart/service': ['logs/tail'],
  'software/install': ['software/inventory'],
  'software/rollback': ['software/inventory'],
};

/** Commands that diagnose a failure or work around it. */
const afterFailure: Readonly<Record<string, readonly string[]>> = {
  'network/ping': ['network/diagnose'],
  'network/dns': ['network/diagnose'],
  'storage/clean': ['storage/usage'],
  'process/kill': ['process/top'],
  'restart/service': ['service/status', 'restart/device'],
  'software/install': ['logs/tail', 'software/rollback'],
};
const LOOK_AT_LOGS: readonly string[] = ['logs/tail'];

/** The command was never delivered, or does not apply to the device, so another command would not help. */
const neverRan: readonly StatusDetails[] = [
  'Delivery Timed Out',
  'Undeliverable',
  'Terminated',
  'Invalid Platform',
  'Access Denied',
];

/**
 * Suggested commands after a command has ended: based on its result, then on the current findings of the device. The
 * command itself is never suggested again, and a finding about its failure is ignored.
 */
export function nextRemedies(
  ended: EndedCommand,
  verdicts: readonly Verdict[],
): readonly SuggestedRemedy[] {
  const { command } = ended;
  const wrong = verdicts.flatMap((verdict): SuggestedRemedy[] =>
    verdict.suggestedCommand === null || verdict.code === 'last-command-failed'
      ? []
      : [{ command: verdict.suggestedCommand, reason: 'verdict', verdict }],
  );
  const seen = new Set([command]);
  return [...followUps(ended), ...wrong].filter((remedy) => {
    if (seen.has(remedy.command)) return false;
    seen.add(remedy.command);
    return true;
  });
}

function followUps({ command, state, statusDetails }: EndedCommand): SuggestedRemedy[] {
  if (state === 'Success') {
    return (afterSuccess[command] ?? []).map((next) => ({
      command: next,
      reason: 'succeeded',
      verdict: null,
    }));
  }
  const failed = state === 'Failed' || state === 'TimedOut';
  if (!failed || neverRan.includes(statusDetails)) return [];
  return (afterFailure[command] ?? LOOK_AT_LOGS).map((next) => ({
    command: next,
    reason: 'failed',
    verdict: null,
  }));
}
