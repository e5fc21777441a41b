import { oldestUnsealedAt } from '../audit-trail/data/sealing/oldest-unsealed-at.ts';
import { lastSealedSequence } from '../audit-trail/data/sealed-events.ts';
import { readChangedDevices } from '../audit-trail/data/read-changed-devices.ts';
import { countedEventTypes } from '../devices/recount/counted-event-types.ts';
import { advanceFullCount, beforeAllDevices } from '../devices/recount/full-count.ts';
import { tryHoldUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { completeLabelSets, updateLabelSets } from './data/label-set-queries.ts';
import {
  devicesToCountAfter,
  loadFleetCountProgress,
  offlineDevicesSeen,
  saveFleetCountProgress,
  takeChangedFindings,
  type FleetCountProgress,
} from './data/progress-queries.ts';
import { recountDevices } from './data/recount-queries.ts';

/** Maximum number of events and devices that one round processes. */
const EVENTS = 5_000;
const CHANGED = 5_000;
const AGED = 2_000;
const SWEPT = 4_000;
const DAY_MS = 86_400_000;
/** From the end of a full count until the scopes in use may start another one. */
const SETS_EVERY_MS = 120_000;

/**
 * One round of updating the counters of the fleet: processes the next events of the audit trail, recounts devices whose
 * findings changed or that have been offline for a day, and continues a full count in progress. Writers are not slowed
 * down, and each round is bounded.
 *
 * @returns whether more work is pending
 */
export function runFleetCountRound(deps: {
  readonly database: Database;
  readonly clock: () => Date;
}): Promise<boolean> {
  return inTransaction(deps.database, async (tx) => {
    if (!(await tryHoldUntilCommit(tx, 'count-fleet'))) return false;
    const now = deps.clock();
    // Changes before this moment are in the trail or in the queue when these are read below.
    const countedTo = (await oldestUnsealedAt(tx)) ?? now;
    const oldBefore = new Date(now.getTime() - DAY_MS);
    const progress = await progressWithSets(tx, now, oldBefore);
    const work = await collectWork(tx, progress, oldBefore);
    await recountDevices(tx, work.deviceIds, work.oldBefore);
    const sweep = advanceFullCount(progress, { counted: work.swept, limit: SWEPT, now });
    if (progress.sweptTo !== null && sweep.sweptTo === null) await completeLabelSets(tx);
    await saveFleetCountProgress(tx, {
      ...progress,
      ...sweep,
      ...work.position,
      countedTo: work.isCaughtUp ? earlier(countedTo, now) : progress.countedTo,
    });
    return !work.isCaughtUp || work.swept.length === SWEPT;
  });
}

/** The first count of all devices includes the old ones. */
async function progressWithSets(
  tx: Transaction,
  now: Date,
  oldBefore: Date,
): Promise<FleetCountProgress> {
  const known = await loadFleetCountProgress(tx);
  if (known !== undefined && !mayChangeSets(known, now)) return known;
  const isChanged = await updateLabelSets(tx);
  const progress = known ?? {
    sealedUpTo: await lastSealedSequence(tx),
    ...{ sweptTo: beforeAllDevices, sweepEndedAt: null, countedTo: null },
    ...{ oldRank: oldBefore.toISOString(), oldId: beforeAllDevices },
  };
  return isChanged ? { ...progress, sweptTo: beforeAllDevices } : progress;
}

/** Each change starts a full count, so changing roles again and again must not keep the database counting. */
const mayChangeSets = ({ sweptTo, sweepEndedAt }: FleetCountProgress, now: Date): boolean =>
  sweptTo === null && now.getTime() - (sweepEndedAt?.getTime() ?? 0) >= SETS_EVERY_MS;

/** The devices of a round, and the positions after it. */
async function collectWork(tx: Transaction, progress: FleetCountProgress, oldBefore: Date) {
  const trail = await readChangedDevices(tx, {
    after: progress.sealedUpTo,
    limit: EVENTS,
    types: countedEventTypes,
  });
  const changed = await takeChangedFindings(tx, CHANGED);
  const aged = await offlineDevicesSeen(tx, { after: progress, before: oldBefore, limit: AGED });
  const swept =
    progress.sweptTo === null ? [] : await devicesToCountAfter(tx, progress.sweptTo, SWEPT);
  const last = aged.length === AGED ? aged.at(-1) : undefined;
  return {
    deviceIds: [...trail.deviceIds, ...changed, ...aged.map(({ oldId }) => oldId), ...swept],
    swept,
    oldBefore,
    position: {
      sealedUpTo: trail.upTo,
      ...(last ?? { oldRank: oldBefore.toISOString(), oldId: beforeAllDevices }),
    },
    isCaughtUp: !trail.full && changed.length < CHANGED && last === undefined,
  };
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
