import type { RejectionReason, TableSource } from '@deviceportal/contract/data-sources';
import type { Change } from '../platform/change-feed.ts';
import type { Executor, Transaction } from '../platform/database/database.ts';
import type { TableChange, TableItem, TableWrite } from '../platform/sources/table-feed.ts';

/** The key of an item: its partition key, and its sort key or ''. */
export interface ItemKey {
  readonly key: string;
  readonly sortKey: string;
}

/** An item that was not applied. */
export interface Rejection {
  readonly key: string;
  readonly reason: RejectionReason;
  readonly detail: string;
}

/** The effect of applying changes. */
export interface TakenIn {
  /** Changes that were not the current state already. */
  readonly applied: number;
  readonly rejected: readonly Rejection[];
  /** Items that this installation has newer, or that the outside table should not have lost. */
  readonly outdated: readonly ItemKey[];
  /** For screens, after the commit. */
  readonly changes: readonly Change[];
}

/** What a slice does with its table outside the portal. */
export interface FeedSource {
  readonly name: TableSource;
  /**
   * Applies changes in their order, in the caller's transaction. Applying them again, or in other
   * batches, leads to the same state and history.
   */
  readonly takeIn: (tx: Transaction, changes: readonly TableChange[]) => Promise<TakenIn>;
  /** The current items of these keys. An item that does not exist is removed from the table. */
  readonly itemsOf: (on: Executor, keys: readonly ItemKey[]) => Promise<readonly TableWrite[]>;
  /**
   * Keys of items in a fixed order, for writing all of them.
   * @param after '' for the first ones
   * @returns next: where the following ones begin, null if there are none
   */
  readonly listKeys: (
    on: Executor,
    after: string,
    limit: number,
  ) => Promise<{ readonly keys: readonly ItemKey[]; readonly next: string | null }>;
  /**
   * Makes the item of this installation newer than one in the table that was rejected.
   * @returns false if that is impossible
   */
  readonly overrule?: (tx: Transaction, stored: TableItem) => Promise<boolean>;
}
