import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import type { Transaction } from '../../platform/database/database.ts';

const anchorNames = ['file', 'syslog', 's3', 'tsa'] as const;
export type AnchorName = (typeof anchorNames)[number];

export interface AnchorPlace {
  readonly name: AnchorName;
  /** Minimum time between deliveries; 0: each block is delivered immediately. */
  readonly everyMs: number;
  /** Key of the progress of a destination that every server has for itself; undefined: there is one. */
  readonly position?: string;
}

export const positionOf = ({ name, position }: Pick<AnchorPlace, 'name' | 'position'>): string =>
  position ?? name;

/** A destination outside the database that stores blocks of the chain. */
export interface AnchorTarget extends AnchorPlace {
  /** True if only the newest block is delivered: it contains the hashes of earlier blocks. */
  readonly newestOnly: boolean;
  /** Number of the last block in the destination, after which its first delivery continues. */
  readonly findLast?: () => Promise<number | undefined>;
  /**
   * Delivers blocks in their order. After a failure, delivered blocks can be delivered again.
   *
   * @throws Error if not all blocks were accepted
   */
  readonly deliver: (blocks: readonly AuditBlock[], tx: Transaction) => Promise<void>;
}
