import { JOURNAL_QUOTA, type BucketRule } from '@deviceportal/contract/device-limits';
import type { AckMessage } from '@deviceportal/device-protocol/journal';
import { recordAudit, type AuditDraft } from '../../audit-trail/record-audit.ts';
import {
  lockJournals,
  writeJournalCursors,
  type JournalInstance,
} from '../../devices/data/connections/served-instances.ts';
import type { Change } from '../../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import { applyEntries, type ServedEntry } from './apply-entries.ts';
import type { Refusal } from '../device-transport.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';
import { tokensAt, waitFor } from './journal-quota.ts';
import { planJournal, type JournalCursor, type JournalPlan } from './plan-journal.ts';
import type { ReceivedEntry, ReceivedJournal } from './read-journal.ts';

type JournalDependencies = Pick<GatewayDependencies, 'database' | 'clock' | 'journalQuota'>;

/** A journal message as received. */
export interface JournalDelivery {
  readonly deviceId: string;
  readonly message: ReceivedJournal;
  /** The device sent the same messages again and has nothing older. */
  readonly acceptGap: boolean;
}

export interface AppliedJournal {
  readonly acks: readonly (AckMessage & { readonly deviceId: string })[];
  /** To publish after commit. */
  readonly changes: readonly Change[];
  readonly refusals: readonly Refusal[];
  /** Deliveries whose instance is not the current one of their device. */
  readonly unserved: readonly JournalDelivery[];
  /** Deliveries for which earlier entries are missing. */
  readonly waiting: readonly JournalDelivery[];
  /** Number of entries beyond the quota, and of those that follow them, by device. */
  readonly heldBack: ReadonlyMap<string, number>;
  readonly entryCount: number;
}

interface QuotaMoment {
  readonly now: Date;
  readonly quota: BucketRule;
}

interface Served {
  readonly instance: JournalInstance;
  cursor: JournalCursor;
  /** Remaining tokens of its quota. */
  tokens: number;
  readonly quota: BucketRule;
  hasSpent: boolean;
  waitMs: number | undefined;
  readonly entries: ReceivedEntry[];
  readonly gaps: NonNullable<JournalPlan['gap']>[];
}

/**
 * Applies the journals of many devices in one transaction with a constant number of statements. When it returns,
 * everything is committed and may be acknowledged; when it throws, nothing has changed.
 */
export async function applyJournalBatch(
  deps: JournalDependencies,
  deliveries: readonly JournalDelivery[],
): Promise<AppliedJournal> {
  return inTransaction(deps.database, async (tx) => {
    const now = deps.clock();
    const quota = deps.journalQuota ?? JOURNAL_QUOTA;
    const instances = await lockInstances(tx, deliveries);
    const planned = plan(instances, deliveries, { now, quota });
    const { served, refusals, unserved, waiting, heldBack } = planned;
    const entries = served.flatMap(toServedEntries);
    const applied = await applyEntries(tx, entries, now);
    const audit = [...served.flatMap(gapEvents), ...applied.audit];
    await recordAudit(tx, audit);
    await storeCursors(tx, served, now);
    const changes = await applied.settle();
    const audited = [...new Set(audit.flatMap(({ deviceId }) => deviceId ?? []))];
    return {
      acks: served.flatMap(toAck),
      changes: [
        ...changes,
        ...(audited.length > 0 ? [{ kind: 'audit-trail' as const, deviceIds: audited }] : []),
      ],
      refusals: [...refusals, ...applied.refusals],
      unserved,
      waiting,
      heldBack,
      entryCount: entries.length,
    };
  });
}

/**
 * Skips an entry that the database rejects: it is acknowledged to the device, and the audit trail records that it was
 * not stored.
 */
export async function skipEntry(
  deps: JournalDependencies,
  delivery: JournalDelivery,
): Promise<AppliedJournal> {
  return inTransaction(deps.database, async (tx) => {
    const now = deps.clock();
    const quota = deps.journalQuota ?? JOURNAL_QUOTA;
    const instances = await lockInstances(tx, [delivery]);
    const { served, unserved, heldBack } = plan(instances, [{ ...delivery, acceptGap: true }], {
      now,
      quota,
    });
    const events = served.flatMap(({ instance, entries }) =>
      entries.map(({ seq, kind }): AuditDraft => ({
        type: 'device.refused',
        actor: actorOf(instance),
        deviceId: instance.deviceId,
        data: { reason: 'entry-failed', seq, kind },
      })),
    );
    await recordAudit(tx, events);
    await storeCursors(tx, served, now);
    return {
      acks: served.flatMap(toAck),
      changes: [{ kind: 'audit-trail', deviceIds: [delivery.deviceId] }],
      refusals: [],
      unserved,
      waiting: [],
      heldBack,
      entryCount: 0,
    };
  });
}

const actorOf = (instance: JournalInstance): AuditDraft['actor'] => ({
  kind: 'device',
  id: instance.deviceId,
  name: instance.name,
  address: null,
});

async function lockInstances(
  tx: Transaction,
  deliveries: readonly JournalDelivery[],
): Promise<Map<string, JournalInstance>> {
  const ids = new Set(deliveries.map(({ message }) => message.instanceId));
  const found = await lockJournals(tx, [...ids]);
  return new Map(found.map((row) => [row.id, row]));
}

function plan(
  instances: ReadonlyMap<string, JournalInstance>,
  deliveries: readonly JournalDelivery[],
  moment: QuotaMoment,
): Pick<AppliedJournal, 'unserved' | 'waiting' | 'heldBack'> & {
  served: Served[];
  refusals: Refusal[];
} {
  const served = new Map<string, Served>();
  const heldBack = new Map<string, number>();
  const refusals: Refusal[] = [];
  const unserved: JournalDelivery[] = [];
  const waiting: JournalDelivery[] = [];
  for (const delivery of deliveries) {
    const { deviceId, message } = delivery;
    const instance = instances.get(message.instanceId);
    if (instance?.deviceId !== deviceId) {
      refusals.push({ deviceId, reason: 'not-admitted', detail: 'journal of no current instance' });
      unserved.push(delivery);
      continue;
    }
    const state = served.get(instance.id) ?? newState(instance, moment);
    served.set(instance.id, state);
    const step = planJournal(state.cursor, message, {
      acceptGap: delivery.acceptGap,
      tokens: state.tokens,
    });
    advance(state, step);
    const behind = message.entries.filter(({ seq }) => seq > state.cursor.upTo).length;
    if (step.waits) waiting.push(delivery);
    else if (behind > 0) heldBack.set(deviceId, (heldBack.get(deviceId) ?? 0) + behind);
  }
  return { served: [...served.values()], refusals, unserved, waiting, heldBack };
}

function advance(state: Served, step: JournalPlan): void {
  state.cursor = step.cursor;
  state.entries.push(...step.entries);
  if (step.gap) state.gaps.push(step.gap);
  if (step.missing !== null) state.waitMs ??= waitFor(state.quota, step.missing, state.tokens);
  state.tokens -= step.spent;
  state.hasSpent ||= step.spent > 0;
}

const newState = (instance: JournalInstance, { now, quota }: QuotaMoment): Served => ({
  instance,
  cursor: { epoch: instance.epoch, upTo: instance.upTo },
  quota,
  tokens: tokensAt(now, quota, { left: instance.tokens, at: instance.tokensAt }),
  hasSpent: false,
  waitMs: undefined,
  entries: [],
  gaps: [],
});

function toServedEntries({ instance, entries }: Served): ServedEntry[] {
  const { enrolledAt } = instance;
  return entries.map((entry) => ({
    deviceId: instance.deviceId,
    deviceName: instance.name,
    instanceId: instance.id,
    enrolledAt,
    entry,
  }));
}

function gapEvents({ instance, cursor, gaps }: Served): AuditDraft[] {
  return gaps.map((gap) => ({
    type: 'device.journal-gap',
    actor: actorOf(instance),
    deviceId: instance.deviceId,
    data: { instanceId: instance.id, epoch: cursor.epoch, ...gap },
  }));
}

function toAck({ instance, cursor, waitMs }: Served): AppliedJournal['acks'][number][] {
  if (cursor.epoch === null) return [];
  const { epoch, upTo } = cursor;
  const ack = { deviceId: instance.deviceId, instanceId: instance.id, epoch, upTo };
  return [waitMs === undefined ? ack : { ...ack, waitMs }];
}

async function storeCursors(tx: Transaction, served: readonly Served[], now: Date): Promise<void> {
  const rows = served
    .filter(({ hasSpent }) => hasSpent)
    .map(({ instance, cursor, tokens }) => ({
      id: instance.id,
      journalEpoch: cursor.epoch,
      journalUpTo: cursor.upTo,
      journalTokens: tokens,
    }));
  if (rows.length > 0) await writeJournalCursors(tx, rows, now);
}
