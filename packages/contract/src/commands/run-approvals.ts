import { z } from 'zod';
import type { TargetPreview } from './command-targets.ts';
import type { EffectChange } from './effect-changes.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** So long a run waits for its second person; then it ends. */
export const APPROVAL_HOURS = 24;

export const decideRunInput = z.object({
  id: idSchema,
  /** Of everything that will happen, as it was shown. */
  effectSha256: z.string().regex(/^[0-9a-f]{64}$/),
  comment: z.string().trim().max(500).default(''),
});

/** Why a person cannot decide about a run. */
export type ApprovalHindrance =
  /** They requested it, under this account or another one. */
  | 'same-person'
  | 'permission'
  /** Their right does not reach all of its devices. */
  | 'scope'
  /** It is decided, cancelled or too old. */
  | 'over';

/** The approval that a run needs, or had. */
export interface RunApproval {
  readonly runId: string;
  readonly requestedBy: string;
  readonly requestedAt: Timestamp;
  /** Then it ends without having been sent. */
  readonly expiresAt: Timestamp;
  /** Over everything that will happen: devices, documents, parameters, pace and time-outs. */
  readonly effectSha256: string;
  /** What differs from what was requested; while anything does, it cannot be approved. */
  readonly changes: readonly EffectChange[];
  /** Its devices that the viewer may see; null once it is decided. */
  readonly reach: Omit<TargetPreview, 'guard' | 'excluded' | 'busy'> | null;
  readonly decision: {
    readonly verdict: 'approved' | 'rejected';
    readonly by: string;
    readonly at: Timestamp;
    readonly comment: string;
  } | null;
  /** Why the viewer cannot decide; null where they can. */
  readonly hindrance: ApprovalHindrance | null;
}
