import type { RingKey } from '@deviceportal/command-signing/key-trust';
import type { PublishedRing } from '@deviceportal/command-signing/publish-ring';
import type { SignedSoftware } from '@deviceportal/command-signing/run-statement';
import type { NeededSoftware } from '../execution/needed-software.ts';
import type { TargetTrees } from './target-trees.ts';

/** The keys that sign runs, outside the database: one signs, and what others signed counts until they are withdrawn. */
export interface RunKeys extends PublishedRing {
  readonly trusted: readonly RingKey[];
}

/** What signing a run works with. */
export interface RunSigning {
  readonly keys: RunKeys;
  readonly trees: TargetTrees;
  /** Files that the portal keeps of these versions; those without an approved file are left out. */
  readonly findSoftware: (wanted: readonly NeededSoftware[]) => Promise<readonly SignedSoftware[]>;
}
