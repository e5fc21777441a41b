import type { AuditType } from '@deviceportal/contract/audit-trail';
import { oldestUnsealedAt } from '../audit-trail/data/sealing/oldest-unsealed-at.ts';
import { lastSealedSequence } from '../audit-trail/data/sealed-events.ts';
import { readChangedDevices } from '../audit-trail/data/read-changed-devices.ts';
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
/** Interval of a full count, which corrects changes that no event reported. */
const SWEEP_EVERY_MS = DAY_MS;
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
  'device.deleted',
  'device.connected',
  'device.disconnected',
  'device.degraded',
  'device.recovered',
  'device.inventory-changed',
];

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
    const progress = await progressWithSets(tx, oldBefore);
    const work = await collectWork(tx, progress, oldBefore);
    await recountDevices(tx, work.deviceIds, work.oldBefore);
    const sweep = nextSweep(progress, work.swept, now);
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
async function progressWithSets(tx: Transaction, oldBefore: Date): Promise<FleetCountProgress> {
  const isChanged = await updateLabelSets(tx);
  const progress = (await loadFleetCountProgress(tx)) ?? {
    sealedUpTo: await lastSealedSequence(tx),
    ...{ sweptTo: BEFORE_ALL, sweepEndedAt: null, countedTo: null },
    ...{ oldRank: oldBefore.toISOString(), oldId: BEFORE_ALL },
  };
  return isChanged ? { ...progress, sweptTo: BEFORE_ALL } : progress;
}

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
      ...(last ?? { oldRank: oldBefore.toISOString(), oldId: BEFORE_ALL }),
    },
    isCaughtUp: !trail.full && changed.length < CHANGED && last === undefined,
  };
}

function nextSweep(
  { sweptTo, sweepEndedAt }: FleetCountProgress,
  swept: readonly string[],
  now: Date,
): Pick<FleetCountProgress, 'sweptTo' | 'sweepEndedAt'> {
  if (sweptTo === null) {
    const isDue = now.getTime() - (sweepEndedAt?.getTime() ?? 0) > SWEEP_EVERY_MS;
    return { sweptTo: isDue ? BEFORE_ALL : null, sweepEndedAt };
  }
  if (swept.length < SWEPT) return { sweptTo: null, sweepEndedAt: now };
  return { sweptTo: swept.at(-1) ?? sweptTo, sweepEndedAt };
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
