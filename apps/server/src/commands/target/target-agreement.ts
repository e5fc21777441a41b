import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { ResolvedTarget } from './resolved-target.ts';
import { findTargetDifference } from '../data/shown-target-queries.ts';

/** How the devices of a run were determined. */
export type TargetAgreement =
  /** A user was shown the devices and refers to the set. Null is sufficient for one individually selected device. */
  | { readonly kind: 'shown'; readonly sha256: string | null; readonly count: number | null }
  /** Any devices that match at that time, up to this number: a schedule. */
  | { readonly kind: 'at-most'; readonly devices: number }
  /** The devices were fixed and approved elsewhere: a wave of a rollout. */
  | { readonly kind: 'planned' };

/** The agreement of a request. */
export const shownAgreement = (input: {
  readonly targetSha256: string | null;
  readonly targetCount: number | null;
}): TargetAgreement => ({ kind: 'shown', sha256: input.targetSha256, count: input.targetCount });

/**
 * Requires that a run has exactly the agreed devices.
 *
 * @throws PortalError 2004; facts contain the `reason`, the current number of devices (`devices`), and if other devices
 * were shown, how many were `added` and `removed`, and the names of the first of them
 */
export async function requireAgreed(
  tx: Transaction,
  viewer: Viewer,
  {
    agreement,
    resolvedTarget,
  }: { readonly agreement: TargetAgreement; readonly resolvedTarget: ResolvedTarget },
): Promise<void> {
  if (resolvedTarget.agreed || agreement.kind === 'planned') return;
  const devices = resolvedTarget.count;
  if (agreement.kind === 'at-most') {
    const reason = 'target-grew';
    throw refuse(reason, { field: FIELD, facts: { reason, devices, limit: agreement.devices } });
  }
  const { sha256, count } = agreement;
  if (sha256 === null || (count === null && sha256 === resolvedTarget.sha256)) {
    const reason = 'target-not-shown';
    throw refuse(reason, { field: FIELD, facts: { reason, devices } });
  }
  const difference = await findTargetDifference(tx, resolvedTarget.query, {
    userId: viewer.userId,
    sha256,
  });
  const reason = 'target-changed';
  throw refuse(reason, { field: FIELD, facts: { ...difference, reason, devices } });
}

const FIELD = 'targetSha256';
