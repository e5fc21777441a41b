import type { Consequence } from '../access/permissions.ts';

/** Number of devices from which a second user must approve. */
export interface ApprovalThresholds {
  /** For every rollout. */
  readonly approvalDevices: number;
  /** For runs of this consequence; null for never. */
  readonly runsFrom: number | null;
}

export interface RolloutSize {
  readonly consequence: Consequence;
  readonly devices: number;
  readonly canaries: number;
}

/**
 * A rollout requires approval if a run would. It comes before the canaries if a run on them would
 * require it.
 */
export function rolloutApproval(
  { approvalDevices, runsFrom }: ApprovalThresholds,
  { consequence, devices, canaries }: RolloutSize,
): { readonly needsApproval: boolean; readonly approvalFirst: boolean } {
  const destroys = consequence === 'destroys';
  return {
    needsApproval: destroys || devices >= Math.min(approvalDevices, runsFrom ?? approvalDevices),
    approvalFirst: destroys || (runsFrom !== null && canaries >= runsFrom),
  };
}
