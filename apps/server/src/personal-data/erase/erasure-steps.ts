import type { ErasurePart } from '@deviceportal/contract/personal-data';
import { signedPlanWalk, signedStepWalk } from '../../air-blast/data/erase-signed-steps.ts';
import { caseEntryTextWalk, caseTextWalk } from '../../cases/data/erase-case-queries.ts';
import {
  runSignatureWalk,
  scheduleAuthorizationWalk,
} from '../../commands/data/erase-signed-names.ts';
import {
  claimOwnerWalk,
  findSomeDevicesOf,
  releaseDevices,
} from '../../devices/data/release-devices.ts';
import { refreshDeviceCopies } from '../../devices/data/refresh-device-copies.ts';
import { importRowWalk } from '../../imports/data/erase-import-rows.ts';
import { eraseSomePlaces } from '../../locations/data/erase-places.ts';
import { eraseMetrics } from '../../device-metrics/data/erase-metrics.ts';
import { messageWalk } from '../../messages/data/erase-messages.ts';
import { outboxWalk } from '../../outbox/data/erase-outbox.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { eraseSomeReports } from '../../reports/data/erase-reports.ts';
import { eraseWords } from '../../search/data/erase-words.ts';
import { userWalks } from '../data/erase-user-data.ts';
import { walkRows, type WalkPosition } from '../data/walk-rows.ts';
import { nounsWithUsers } from '../nouns-with-users.ts';
import type { RowWalk } from '../tables-of-users.ts';
import type { ErasedPerson } from './erased-person.ts';

/** Result of one batch of a step. */
export interface StepBatch {
  readonly visited: number;
  readonly changed: number;
  readonly deleted: number;
  /** Where the next batch of the step begins; null when the step is done. */
  readonly next: WalkPosition | null;
  /** Reports whose rows were deleted. */
  readonly reportFiles?: readonly string[];
}

export interface ErasureStep {
  /** By which an interrupted erasure finds it again, also after an update of the portal. */
  readonly key: string;
  readonly part: ErasurePart;
  readonly run: (
    tx: Transaction,
    batch: { readonly after: WalkPosition | null; readonly limit: number },
  ) => Promise<StepBatch>;
}

/** Everything that an erasure does after its beginning, in this order. A step without rows to erase changes nothing. */
export function erasureSteps(person: ErasedPerson): ErasureStep[] {
  return [...customerSteps(person), ...userSteps(person), ...signedSteps(person)];
}

/** Signed texts with the name of a user, which are needed until their runs end. */
export function signedSteps({ user }: Pick<ErasedPerson, 'user'>): ErasureStep[] {
  if (user === undefined) return [];
  return [
    walkStep('run_signature', 'commands', runSignatureWalk(user.id)),
    walkStep('run_schedule.authorization', 'commands', scheduleAuthorizationWalk(user.id)),
    walkStep('air_blast.authorization', 'airBlast', signedPlanWalk(user.id)),
    walkStep('air_blast_step.authorization', 'airBlast', signedStepWalk(user.id)),
  ];
}

function userSteps({ user, contacts }: ErasedPerson): ErasureStep[] {
  const recipients = [...(user?.names ?? []), ...contacts];
  const outbox =
    recipients.length === 0 ? [] : [walkStep('outbox_message', 'messages', outboxWalk(recipients))];
  if (user === undefined) return outbox;
  const own = Object.entries(nounsWithUsers).flatMap(([part, tables]) =>
    userWalks(tables, user).map(({ key, walk }) => walkStep(key, part as ErasurePart, walk)),
  );
  return [...own, walkStep('outgoing_message', 'messages', messageWalk(user.subject)), ...outbox];
}

function customerSteps({ customers, words }: ErasedPerson): ErasureStep[] {
  if (customers.length === 0) return [];
  return [
    { key: 'device.search', part: 'devices', run: hideDevices(customers) },
    { key: 'search_word', part: 'devices', run: forgetWords(words) },
    { key: 'device_metric', part: 'devices', run: forgetMetrics(customers) },
    { key: 'device.owner', part: 'locations', run: releaseSome(customers) },
    walkStep('claim.owner', 'devices', claimOwnerWalk(customers)),
    walkStep('data_import_row', 'imports', importRowWalk(customers)),
    walkStep('support_case.texts', 'cases', caseTextWalk(customers)),
    walkStep('case_entry.texts', 'cases', caseEntryTextWalk(customers)),
    { key: 'report', part: 'reports', run: deleteReports(customers) },
  ];
}

const walkStep = (key: string, part: ErasurePart, walk: RowWalk): ErasureStep => ({
  ...{ key, part },
  async run(tx, batch) {
    const { touched, visited, next } = await walkRows(tx, walk, batch);
    const [changed, deleted] = walk.set === undefined ? [0, touched] : [touched, 0];
    return { visited, next, changed, deleted };
  },
});

/** A device has several copies and index entries. */
const DEVICES_AT_ONCE = 200;

/** Takes the name of the owner out of the text by which devices are found. */
const hideDevices =
  (customers: readonly string[]): ErasureStep['run'] =>
  async (tx, { after }) => {
    const limit = DEVICES_AT_ONCE;
    const ids = await findSomeDevicesOf(tx, customers, { after: after?.[0] ?? null, limit });
    await refreshDeviceCopies(tx, ids);
    const last = ids.length < limit ? undefined : ids.at(-1);
    return { visited: ids.length * 10, changed: 0, deleted: 0, next: last ? [last] : null };
  };

/** When no device has them any more. */
const forgetWords =
  (words: string): ErasureStep['run'] =>
  async (tx) => {
    await eraseWords(tx, words);
    return { visited: 1, changed: 0, deleted: 0, next: null };
  };

/** Metrics of one device are a few hundred rows. */
const MEASURED_DEVICES_AT_ONCE = 20;

/** They show when the owner used a device. */
const forgetMetrics =
  (customers: readonly string[]): ErasureStep['run'] =>
  async (tx, { after }) => {
    const limit = MEASURED_DEVICES_AT_ONCE;
    const ids = await findSomeDevicesOf(tx, customers, { after: after?.[0] ?? null, limit });
    const deleted = await eraseMetrics(tx, ids);
    const last = ids.length < limit ? undefined : ids.at(-1);
    return { visited: deleted, changed: 0, deleted, next: last ? [last] : null };
  };

/** Deletes the location history of devices, and then their owner, by which they are found. */
const releaseSome =
  (customers: readonly string[]): ErasureStep['run'] =>
  async (tx, { limit }) => {
    const some = { after: null, limit: DEVICES_AT_ONCE };
    const ids = await findSomeDevicesOf(tx, customers, some);
    if (ids.length === 0) return { visited: 0, changed: 0, deleted: 0, next: null };
    const deleted = await eraseSomePlaces(tx, ids, limit);
    if (deleted === limit) return { visited: limit, changed: 0, deleted, next: [] };
    await releaseDevices(tx, ids);
    const next = ids.length < DEVICES_AT_ONCE ? null : [];
    return { visited: deleted + ids.length * 10, changed: ids.length, deleted, next };
  };

/** A report and each link have several files. */
const REPORTS_AT_ONCE = 50;

const deleteReports =
  (customers: readonly string[]): ErasureStep['run'] =>
  async (tx) => {
    const reportFiles = await eraseSomeReports(tx, customers, REPORTS_AT_ONCE);
    const deleted = reportFiles.length;
    // Their files are deleted before the next batch.
    return {
      visited: deleted * 10,
      changed: 0,
      deleted,
      next: deleted > 0 ? [] : null,
      reportFiles,
    };
  };
