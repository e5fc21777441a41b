import type { RingKey } from '@deviceportal/command-signing/key-trust';
import type { SignedSoftware } from '@deviceportal/command-signing/run-statement';
import type { StatementKey } from '@deviceportal/command-signing/signed-statement';
import type { NeededSoftware } from '../execution/needed-software.ts';
import type { TargetTrees } from './target-trees.ts';

/** The keys that sign runs: one signs, and all that ever did are known, the newest first. Outside the database. */
export interface RunKeys {
  readonly current: StatementKey & RingKey;
  readonly known: readonly RingKey[];
}

/** What signing a run works with. */
export interface RunSigning {
  readonly keys: RunKeys;
  readonly trees: TargetTrees;
  /** Files that the portal keeps of these versions; those without an approved file are left out. */
  readonly findSoftware: (wanted: readonly NeededSoftware[]) => Promise<readonly SignedSoftware[]>;
}
