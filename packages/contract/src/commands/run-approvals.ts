import { z } from 'zod';
import type { TargetPreview } from './command-targets.ts';
import type { EffectChange } from './effect-changes.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** How long a run waits for approval before it ends. */
export const APPROVAL_HOURS = 24;

export const decideRunInput = z.object({
  id: idSchema,
  /** Hash of everything that will be executed, as shown. */
  effectSha256: z.string().regex(/^[0-9a-f]{64}$/),
  comment: z.string().trim().max(500).default(''),
});

/** Why a user cannot decide on a run. */
export type ApprovalHindrance =
  /** The user requested it, with this account or another one. */
  | 'same-person'
  | 'permission'
  /** The user's scope does not include all of its devices. */
  | 'scope'
  /** It is decided, canceled, or expired. */
  | 'over';

/** The pending or decided approval of a run. */
export interface RunApproval {
  readonly runId: string;
  readonly requestedBy: string;
  readonly requestedAt: Timestamp;
  /** After this time, the run ends without being sent. */
  readonly expiresAt: Timestamp;
  /**
   * Hash of everything that will be executed: devices, documents, parameters, concurrency, and
   * timeouts.
   */
  readonly effectSha256: string;
  /** Differences from the request. A run with differences cannot be approved. */
  readonly changes: readonly EffectChange[];
  /** Its devices that the viewer can see; null after the decision. */
  readonly reach: Omit<TargetPreview, 'guard' | 'excluded' | 'busy' | 'runCommandObstacles'> | null;
  readonly decision: {
    readonly verdict: 'approved' | 'rejected';
    readonly by: string;
    readonly at: Timestamp;
    readonly comment: string;
  } | null;
  /** Why the viewer cannot decide; null if the viewer can. */
  readonly hindrance: ApprovalHindrance | null;
}
