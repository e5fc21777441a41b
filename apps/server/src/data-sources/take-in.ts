import { isTransientFault } from '../platform/database/errors/database-fault.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { TableChange } from '../platform/sources/table-feed.ts';
import type { FeedSource, TakenIn } from './feed-source.ts';
import { describeKey } from './rejection.ts';

export interface TakeInOptions {
  readonly source: FeedSource;
  /** An item that was rejected because of an unexpected error. */
  readonly onError: (error: unknown, key: string) => void;
}

/**
 * Applies changes. Where an unexpected error occurs, the changes are divided until only those that
 * cause it are rejected.
 * @throws errors that go away by themselves
 */
export async function takeIn(
  tx: Transaction,
  changes: readonly TableChange[],
  options: TakeInOptions,
): Promise<TakenIn> {
  try {
    return await tx.transaction((part) => options.source.takeIn(part, changes));
  } catch (error) {
    if (isTransientFault(error)) throw error;
    const [only] = changes;
    if (changes.length > 1 || only === undefined) {
      const middle = Math.ceil(changes.length / 2);
      const one = await takeIn(tx, changes.slice(0, middle), options);
      return merge(one, await takeIn(tx, changes.slice(middle), options));
    }
    const key = describeKey(only.key);
    options.onError(error, key);
    return {
      ...nothing,
      rejected: [{ key, reason: 'not-applied', detail: '' }],
    };
  }
}

const nothing: TakenIn = { applied: 0, rejected: [], outdated: [], changes: [] };

const merge = (one: TakenIn, other: TakenIn): TakenIn => ({
  applied: one.applied + other.applied,
  rejected: [...one.rejected, ...other.rejected],
  outdated: [...one.outdated, ...other.outdated],
  changes: [...one.changes, ...other.changes],
});
