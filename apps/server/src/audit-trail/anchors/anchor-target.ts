import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import type { Transaction } from '../../platform/database/database.ts';

const anchorNames = ['file', 'syslog', 'tsa'] as const;
export type AnchorName = (typeof anchorNames)[number];

export interface AnchorPlace {
  readonly name: AnchorName;
  /** Minimum time between deliveries; 0: each block is delivered immediately. */
  readonly everyMs: number;
}

/** A destination outside the database that stores blocks of the chain. */
export interface AnchorTarget extends AnchorPlace {
  /** True if only the newest block is delivered: it contains the hashes of earlier blocks. */
  readonly newestOnly: boolean;
  /**
   * Delivers blocks in their order. After a failure, delivered blocks can be delivered again.
   *
   * @throws Error if not all blocks were accepted
   */
  readonly deliver: (blocks: readonly AuditBlock[], tx: Transaction) => Promise<void>;
}
