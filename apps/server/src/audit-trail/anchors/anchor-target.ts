import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import type { Transaction } from '../../platform/database/database.ts';

const anchorNames = ['file', 'syslog', 'tsa'] as const;
export type AnchorName = (typeof anchorNames)[number];

export interface AnchorPlace {
  readonly name: AnchorName;
  /** Least time between deliveries; 0: as soon as there is a block. */
  readonly everyMs: number;
}

/** A place outside the database that keeps blocks of the chain. */
export interface AnchorTarget extends AnchorPlace {
  /** True: the newest block stands for those before it, because it holds their hashes. */
  readonly newestOnly: boolean;
  /**
   * Hands over blocks in their order. They may come again when it fails half way.
   *
   * @throws Error when not all of them were taken
   */
  readonly deliver: (blocks: readonly AuditBlock[], tx: Transaction) => Promise<void>;
}
