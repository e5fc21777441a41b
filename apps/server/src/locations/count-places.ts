import { readChangedDevices } from '../audit-trail/data/read-changed-devices.ts';
import { lastSealedSequence } from '../audit-trail/data/sealed-events.ts';
import { countedEventTypes } from '../devices/recount/counted-event-types.ts';
import { advanceFullCount, beforeAllDevices } from '../devices/recount/full-count.ts';
import { tryHoldUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import {
  recountPlaces,
  loadPlaceProgress,
  placedDevicesAfter,
  savePlaceProgress,
  takeMovedDevices,
  type PlaceProgress,
} from './data/place-count-queries.ts';

/** Maximum number of events that one round processes. */
const EVENTS = 5_000;
const MOVED = 5_000;
const SWEPT = 2_000;

/**
 * One round of updating the counters of the map: processes the next events of the audit trail, recounts devices that
 * moved, and continues a full recount in progress. Writers are not slowed down, and each round is bounded.
 * @returns whether more work is pending
 */
export function countPlaces(deps: {
  readonly database: Database;
  readonly clock: () => Date;
}): Promise<boolean> {
  return inTransaction(deps.database, async (tx) => {
    if (!(await tryHoldUntilCommit(tx, 'count-places'))) return false;
    const progress = (await loadPlaceProgress(tx)) ?? (await firstProgress(tx));
    const trail = await readChangedDevices(tx, {
      after: progress.sealedUpTo,
      limit: EVENTS,
      types: countedEventTypes,
    });
    const moved = await takeMovedDevices(tx, MOVED);
    const swept =
      progress.sweptTo === null ? [] : await placedDevicesAfter(tx, progress.sweptTo, SWEPT);
    await recountPlaces(tx, [...trail.deviceIds, ...moved, ...swept]);
    const sweep = advanceFullCount(progress, {
      ...{ counted: swept, limit: SWEPT, now: deps.clock() },
    });
    await savePlaceProgress(tx, { ...sweep, sealedUpTo: trail.upTo });
    return trail.full || moved.length === MOVED || swept.length === SWEPT;
  });
}

async function firstProgress(tx: Transaction): Promise<PlaceProgress> {
  return {
    sealedUpTo: await lastSealedSequence(tx),
    sweptTo: beforeAllDevices,
    sweepEndedAt: null,
  };
}
