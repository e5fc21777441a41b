import type { AuditType } from '@deviceportal/contract/audit-trail';
import { readChangedDevices } from '../audit-trail/data/read-changed-devices.ts';
import { lastSealedSequence } from '../audit-trail/data/sealed-events.ts';
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
/** Interval of a full recount, which corrects changes that no event reported. */
const SWEEP_EVERY_MS = 86_400_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Events after which a device may be counted differently. */
const countedEventTypes: readonly AuditType[] = [
  'device.created',
  'device.updated',
  'device.labels-changed',
  'device.enrolled',
  'device.re-enrolled',
  'device.suspended',
  'device.resumed',
  'device.retired',
  'device.connected',
  'device.disconnected',
  'device.degraded',
  'device.recovered',
  'device.inventory-changed',
];

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
    const sweep = nextSweep(progress, swept, deps.clock());
    await savePlaceProgress(tx, { ...sweep, sealedUpTo: trail.upTo });
    return trail.full || moved.length === MOVED || swept.length === SWEPT;
  });
}

async function firstProgress(tx: Transaction): Promise<PlaceProgress> {
  return { sealedUpTo: await lastSealedSequence(tx), sweptTo: BEFORE_ALL, sweepEndedAt: null };
}

function nextSweep(
  { sweptTo, sweepEndedAt }: PlaceProgress,
  swept: readonly string[],
  now: Date,
): Pick<PlaceProgress, 'sweptTo' | 'sweepEndedAt'> {
  if (sweptTo === null) {
    const isDue = now.getTime() - (sweepEndedAt?.getTime() ?? 0) > SWEEP_EVERY_MS;
    return { sweptTo: isDue ? BEFORE_ALL : null, sweepEndedAt };
  }
  if (swept.length < SWEPT) return { sweptTo: null, sweepEndedAt: now };
  return { sweptTo: swept.at(-1) ?? sweptTo, sweepEndedAt };
}
