import type { RingKey } from '@deviceportal/command-signing/key-trust';
import type { PublishedRing } from '@deviceportal/command-signing/publish-ring';
import type { SignedSoftware } from '@deviceportal/command-signing/run-statement';
import type { NeededSoftware } from '../execution/needed-software.ts';
import type { TargetTrees } from './target-trees.ts';

/**
 * The keys that sign runs, stored outside the database. One key signs; signatures of earlier keys are valid until those
 * are revoked.
 */
export interface RunKeys extends PublishedRing {
  readonly trusted: readonly RingKey[];
}

/** Dependencies of signing a run. */
export interface RunSigning {
  readonly keys: RunKeys;
  readonly trees: TargetTrees;
  /** Files stored in the portal for these versions; versions without an approved file are omitted. */
  readonly findSoftware: (wanted: readonly NeededSoftware[]) => Promise<readonly SignedSoftware[]>;
}
