import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { FrozenTarget } from './frozen-target.ts';
import { findTargetDifference } from '../data/shown-target-queries.ts';

/** How it was settled which devices a run may reach. */
export type TargetAgreement =
  /** A user was shown them and names the set; null is enough for one device that was chosen by itself. */
  | { readonly kind: 'shown'; readonly sha256: string | null; readonly count: number | null }
  /** Whatever the target means by then, as long as it is no more devices than this: a schedule. */
  | { readonly kind: 'at-most'; readonly devices: number }
  /** The target was settled device by device and approved elsewhere: a wave of a rollout. */
  | { readonly kind: 'planned' };

/** The agreement that a request states. */
export const shownAgreement = (input: {
  readonly targetSha256: string | null;
  readonly targetCount: number | null;
}): TargetAgreement => ({ kind: 'shown', sha256: input.targetSha256, count: input.targetCount });

/**
 * Runs reach the devices that were agreed, or none.
 *
 * @throws PortalError 2004; facts say why (`reason`) and how many devices it would reach now (`devices`), and where other
 *   devices were shown, how many came (`added`) and went (`removed`), and the first of them by name
 */
export async function requireAgreed(
  tx: Transaction,
  viewer: Viewer,
  { agreement, frozen }: { readonly agreement: TargetAgreement; readonly frozen: FrozenTarget },
): Promise<void> {
  if (frozen.agreed || agreement.kind === 'planned') return;
  const devices = frozen.count;
  if (agreement.kind === 'at-most') {
    const reason = 'target-grew';
    throw refuse(reason, { field: FIELD, facts: { reason, devices, limit: agreement.devices } });
  }
  const { sha256, count } = agreement;
  if (sha256 === null || (count === null && sha256 === frozen.sha256)) {
    const reason = 'target-not-shown';
    throw refuse(reason, { field: FIELD, facts: { reason, devices } });
  }
  const difference = await findTargetDifference(tx, frozen.query, {
    userId: viewer.userId,
    sha256,
  });
  const reason = 'target-changed';
  throw refuse(reason, { field: FIELD, facts: { ...difference, reason, devices } });
}

const FIELD = 'targetSha256';
