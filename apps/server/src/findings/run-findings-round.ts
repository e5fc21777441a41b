import { lastSealedSequence } from '../audit-trail/data/sealed-events.ts';
import { findDeviceIdsAfter } from '../devices/data/find-device-ids-after.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { tryHoldUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { isRhythmEvent, noRhythm, withEvent, type DeviceRhythm } from './device-rhythm.ts';
import { DAY_MS, type RuleSettings } from './finding-rule.ts';
import {
  loadProgress,
  readTrail,
  saveProgress,
  type Progress,
  type TrailEvent,
} from './data/finding-progress-queries.ts';
import { dueDevices } from './data/finding-queries.ts';
import { loadRhythms, saveRhythms } from './data/rhythm-queries.ts';
import { updateFindings } from './update-findings.ts';

export interface FindingsDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly ruleSettings: RuleSettings;
}

/** Sorts before every device ID: start of a sweep. */
const sweepStart = '00000000-0000-0000-0000-000000000000';
/** Limits of one round. */
const EVENTS = 1_000;
const DUE = 500;
const SWEPT = 500;
/** On the first start this many past events are read, so that devices have a connection pattern immediately. */
const HISTORY = 100_000;
/**
 * Changes without an event, such as heartbeats without a change of state, are found by a regular sweep of the fleet.
 */
const SWEEP_EVERY_MS = DAY_MS;

/** Events after which the results of any number of devices can change. */
const sweepTypes = new Set([
  'version.approval-set',
  'version.approval-withdrawn',
  'version.state-changed',
]);
const quietTypes = new Set([
  'device.location-viewed',
  'device.note-added',
  'device.note-removed',
  'device.refused',
  'device.journal-gap',
  'device.over-limit',
  'command.requested',
  'command.sent',
  'command.started',
  'command.artefact-collected',
  'command.authorization-mismatch',
]);

/**
 * One round: reads the next events of the audit trail, evaluates devices that are due, and continues a sweep that is in
 * progress. The cost of a round does not depend on the size of the fleet, and each round is one transaction.
 *
 * @returns whether more work is pending
 */
export async function runFindingsRound(deps: FindingsDeps): Promise<boolean> {
  const now = deps.clock();
  const outcome = await inTransaction(deps.database, async (tx) => {
    if (!(await tryHoldUntilCommit(tx, 'move-findings'))) return { changed: [], waiting: false };
    const progress = (await loadProgress(tx)) ?? (await firstProgress(tx));
    const events = await readTrail(tx, progress.sealedUpTo, EVENTS);
    await followRhythms(tx, events);
    const due = await dueDevices(tx, now, DUE);
    const swept =
      progress.sweptTo === null ? [] : await findDeviceIdsAfter(tx, progress.sweptTo, SWEPT);
    const ids = [...new Set([...devicesOf(events), ...due, ...swept])];
    const changed = await updateFindings(tx, ids, { now, settings: deps.ruleSettings });
    await saveProgress(tx, nextProgress(progress, { events, swept, now }));
    const waiting = events.length === EVENTS || due.length === DUE || swept.length === SWEPT;
    return { changed, waiting };
  });
  if (outcome.changed.length > 0) {
    deps.changes.publish([{ kind: 'device-changed', deviceIds: outcome.changed }]);
  }
  return outcome.waiting;
}

async function firstProgress(tx: Transaction): Promise<Progress> {
  const head = await lastSealedSequence(tx);
  return {
    sealedUpTo: Math.max(0, head - HISTORY),
    sweptTo: sweepStart,
    swept: 0,
    sweepEndedAt: null,
  };
}

function nextProgress(
  before: Progress,
  round: {
    readonly events: readonly TrailEvent[];
    readonly swept: readonly string[];
    readonly now: Date;
  },
): Progress {
  const { events, swept, now } = round;
  const sealedUpTo = events.at(-1)?.sequence ?? before.sealedUpTo;
  const mustSweep =
    events.some(({ type }) => sweepTypes.has(type)) ||
    (before.sweptTo === null &&
      now.getTime() - (before.sweepEndedAt?.getTime() ?? 0) > SWEEP_EVERY_MS);
  if (mustSweep) return { ...before, sealedUpTo, sweptTo: sweepStart, swept: 0 };
  if (before.sweptTo === null) return { ...before, sealedUpTo };
  if (swept.length < SWEPT) return { sealedUpTo, sweptTo: null, swept: 0, sweepEndedAt: now };
  return {
    ...before,
    sealedUpTo,
    sweptTo: swept.at(-1) ?? before.sweptTo,
    swept: before.swept + swept.length,
  };
}

function devicesOf(events: readonly TrailEvent[]): string[] {
  return events.flatMap(({ deviceId, type, quiet }) =>
    deviceId === null || quiet || quietTypes.has(type) ? [] : [deviceId],
  );
}

async function followRhythms(tx: Transaction, events: readonly TrailEvent[]): Promise<void> {
  const telling = events.filter(({ type, deviceId }) => deviceId !== null && isRhythmEvent(type));
  const ids = [...new Set(telling.map(({ deviceId }) => deviceId ?? ''))];
  const rhythms = await loadRhythms(tx, ids);
  const after = new Map<string, DeviceRhythm>();
  for (const event of telling) {
    const id = event.deviceId ?? '';
    after.set(id, withEvent(after.get(id) ?? rhythms.get(id) ?? noRhythm, event));
  }
  await saveRhythms(tx, after);
}
