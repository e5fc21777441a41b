import type { Transaction } from '../../platform/database/database.ts';
import { claimAfter, claimFor, type ClaimedInvocation } from '../data/execution/claim-queries.ts';

/**
 * How far a run's queue has been searched. Most of the queue can be for offline devices, which a search from the start
 * would check again whenever an invocation ends.
 */
export interface QueuePosition {
  /** No invocation up to this one is for a connected device. Null is the start of the queue, `QUEUE_END` its end. */
  readonly after: string | null;
  /** Devices that have connected since, at any position of the queue. */
  readonly late: readonly string[];
}

export const QUEUE_START: QueuePosition = { after: null, late: [] };
/** Sorts after every ID. */
export const QUEUE_END = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface Claim {
  readonly claimed: readonly ClaimedInvocation[];
  /** Where the next claim continues, after this one has been committed. */
  readonly position: QueuePosition;
}

/** Claims up to `limit` invocations of connected devices: first of devices that connected late, then in queue order. */
export async function claimInvocations(
  tx: Transaction,
  runId: string,
  { limit, position }: { readonly limit: number; readonly position: QueuePosition },
): Promise<Claim> {
  const deviceIds = position.late;
  const late = deviceIds.length === 0 ? [] : await claimFor(tx, runId, { deviceIds, limit });
  const isLateDone = late.length < limit;
  const walked =
    isLateDone && position.after !== QUEUE_END
      ? await claimAfter(tx, runId, { limit: limit - late.length, after: position.after })
      : [];
  const isEnd = isLateDone && walked.length < limit - late.length;
  const claimed = [...late, ...walked];
  const taken = new Set(late.map(({ deviceId }) => deviceId));
  return {
    claimed,
    position: {
      after: isEnd ? QUEUE_END : (walked.at(-1)?.id ?? position.after),
      late: isLateDone ? [] : position.late.filter((deviceId) => !taken.has(deviceId)),
    },
  };
}
