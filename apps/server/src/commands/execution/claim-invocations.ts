import type { Transaction } from '../../platform/database/database.ts';
import { claimAfter, claimFor, type ClaimedInvocation } from '../data/execution/claim-queries.ts';

/**
 * How far a run's queue has been searched. Most of it may be for devices that are offline: a search from the start would
 * look at all of them again whenever one invocation ends.
 */
export interface QueuePosition {
  /** Nothing up to this invocation was for a connected device; null is the start, `QUEUE_END` the end. */
  readonly after: string | null;
  /** Devices that have connected since, wherever they stand in the queue. */
  readonly late: readonly string[];
}

export const QUEUE_START: QueuePosition = { after: null, late: [] };
/** After every id that there can be. */
export const QUEUE_END = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface Claim {
  readonly claimed: readonly ClaimedInvocation[];
  /** Where the next claim goes on, once this one has committed. */
  readonly position: QueuePosition;
}

/** Takes up to `limit` of what waits for connected devices: those that came late first, then along the queue. */
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
