import { findInvocationPlace } from '../commands/data/find-invocation-place.ts';
import { findDeviceIdBySerial } from '../devices/data/find-device-id.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { insertEntries, prolongLookUp } from './data/case-entry-queries.ts';
import { lockOpenCase } from './data/case-queries.ts';
import { lookUpOf, type LookUp } from './look-ups.ts';
import { ownEntry } from './own-entry.ts';

/** Screens poll. A view after a longer pause than this is a new look-up. */
const LOOK_UP_PAUSE_SECONDS = 300;
/** How often the end of an ongoing look-up is updated. */
const UPDATE_EVERY_MS = 30_000;
const MAX_REMEMBERED = 10_000;
const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface LookUpRecorderDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
}

/** A successful call in a case. */
export interface CallInCase {
  readonly viewer: Viewer;
  readonly caseId: string;
  readonly path: string;
  readonly input: unknown;
}

/** Adds look-ups to the case asynchronously, after the call has been answered. */
export function createLookUpRecorder(deps: LookUpRecorderDeps): (call: CallInCase) => void {
  const recordedAt = new Map<string, number>();
  const isRecentlyRecorded = (key: string, nowMs: number): boolean => {
    if (nowMs - (recordedAt.get(key) ?? -Infinity) < UPDATE_EVERY_MS) return true;
    if (recordedAt.size >= MAX_REMEMBERED) recordedAt.clear();
    recordedAt.set(key, nowMs);
    return false;
  };
  return (call) => {
    const look = lookUpOf(call);
    if (look === undefined) return;
    const { caseId, viewer } = call;
    const key = [caseId, viewer.userId, look.kind, look.device, look.reference].join(' ');
    if (isRecentlyRecorded(key, deps.clock().getTime())) return;
    write(deps, call, look).catch((error: unknown) => {
      recordedAt.delete(key);
      deps.onError(error);
    });
  };
}

async function write(deps: LookUpRecorderDeps, call: CallInCase, look: LookUp): Promise<void> {
  const { caseId, viewer } = call;
  await inTransaction(deps.database, async (tx) => {
    // Two tabs can view the same thing at the same time, and another user can close the case in between.
    if (!(await lockOpenCase(tx, caseId))) return;
    const { kind, reference = null } = look;
    const about = await findSubject(tx, look);
    const entry = ownEntry(viewer, { caseId, at: deps.clock(), kind, reference, ...about });
    if (!(await prolongLookUp(tx, entry, LOOK_UP_PAUSE_SECONDS))) await insertEntries(tx, [entry]);
  });
  deps.changes.publish([{ kind: 'case', caseIds: [caseId] }]);
}

interface LookUpSubject {
  readonly deviceId: string | null;
  readonly runId: string | null;
}

async function findSubject(tx: Transaction, look: LookUp): Promise<LookUpSubject> {
  const found = { deviceId: null, runId: null };
  if (look.kind === 'result-viewed' && look.reference !== undefined) {
    return { ...found, ...(await findInvocationPlace(tx, look.reference)) };
  }
  if (look.device === undefined) return found;
  if (uuidShape.test(look.device)) return { ...found, deviceId: look.device };
  return { ...found, deviceId: await findDeviceIdBySerial(tx, look.device.toUpperCase()) };
}
