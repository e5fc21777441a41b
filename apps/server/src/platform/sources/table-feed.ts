/** An item of a table: plain JSON values by attribute. What is not JSON (binary data) is undefined. */
export type TableItem = Readonly<Record<string, unknown>>;

/** The key attributes of an item. All keys are texts. */
export type TableKey = Readonly<Record<string, string>>;

/** The item of a key has been written, or removed (`item` null). */
export interface TableChange {
  readonly key: TableItem;
  readonly item: TableItem | null;
}

/** Where reading continues, as JSON. Only the feed that made it understands it. */
export type FeedCursor = Readonly<Record<string, unknown>>;

export interface FeedPage {
  /** In the order in which they were made, per key. Each is told at least once. */
  readonly changes: readonly TableChange[];
  readonly cursor: FeedCursor;
  /** `table` while all items are read, `changes` afterwards. */
  readonly reads: 'table' | 'changes';
  /** When the last of the changes was made; null if unknown. */
  readonly newestAt: Date | null;
}

export interface TableWrite {
  readonly key: TableKey;
  /** Null removes the item. */
  readonly item: TableItem | null;
}

export type WriteResult =
  | { readonly kind: 'written' }
  /** The table has an item that is as new or newer. */
  | { readonly kind: 'conflict'; readonly item: TableItem }
  /** The table cannot store the item. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface TableLayout {
  /** The partition key, then the sort key, if any. */
  readonly keys: readonly [string] | readonly [string, string];
  /**
   * The attribute that grows with every change of an item: an item is written only if it is larger
   * than that of the stored one. Null if items never change.
   */
  readonly growing: string | null;
}

/**
 * A table outside the portal, which other programs read and write. A feed has no state except for
 * speed: a cursor can be read again, also by another process.
 */
export interface TableFeed {
  /**
   * Reads what comes after the cursor; from null, first all items. It does so by itself, too, where
   * the changes after the cursor are no longer known.
   */
  read(cursor: FeedCursor | null): Promise<FeedPage>;
  /** @returns the result of each write, in their order */
  publish(writes: readonly TableWrite[]): Promise<readonly WriteResult[]>;
}
