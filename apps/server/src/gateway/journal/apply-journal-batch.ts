import { sql } from 'drizzle-orm';
import { JOURNAL_QUOTA, type BucketRule } from '@deviceportal/contract/device-limits';
import type { AckMessage } from '@deviceportal/device-protocol/journal';
import { recordAudit, type AuditDraft } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { applyEntries, type ServedEntry } from './apply-entries.ts';
import type { Refusal } from '../device-transport.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';
import { tokensAt, waitFor } from './journal-quota.ts';
import { planJournal, type JournalCursor, type JournalPlan } from './plan-journal.ts';
import type { ReceivedEntry, ReceivedJournal } from './read-journal.ts';

type JournalDependencies = Pick<GatewayDependencies, 'database' | 'clock' | 'journalQuota'>;

/** A journal message as it came. */
export interface JournalDelivery {
  readonly deviceId: string;
  readonly message: ReceivedJournal;
  /** The device was asked again and has nothing older. */
  readonly acceptGap: boolean;
}

export interface AppliedJournal {
  readonly acks: readonly (AckMessage & { readonly deviceId: string })[];
  /** To publish after commit. */
  readonly changes: readonly Change[];
  readonly refusals: readonly Refusal[];
  /** Deliveries that wait for what is missing before them. */
  readonly waiting: readonly JournalDelivery[];
  /** Entries that a quota did not reach for, and those that stand after them, by device. */
  readonly heldBack: ReadonlyMap<string, number>;
  readonly entryCount: number;
}

type InstanceRow = Record<string, unknown> & {
  readonly id: string;
  readonly device_id: string;
  readonly name: string;
  readonly epoch: string | null;
  readonly up_to: number | string;
  readonly enrolled_at: string | Date;
  readonly tokens: number | null;
  readonly tokens_at: string | Date | null;
};

interface QuotaMoment {
  readonly now: Date;
  readonly quota: BucketRule;
}

interface Served {
  readonly instance: InstanceRow;
  cursor: JournalCursor;
  /** What is left of its quota. */
  tokens: number;
  readonly quota: BucketRule;
  hasSpent: boolean;
  waitMs: number | undefined;
  readonly entries: ReceivedEntry[];
  readonly gaps: NonNullable<JournalPlan['gap']>[];
}

/**
 * Applies the journals of many devices in one transaction of a handful of statements. When it returns, everything is
 * committed and may be acknowledged; when it throws, nothing has changed.
 */
export async function applyJournalBatch(
  deps: JournalDependencies,
  deliveries: readonly JournalDelivery[],
): Promise<AppliedJournal> {
  return inTransaction(deps.database, async (tx) => {
    const now = deps.clock();
    const quota = deps.journalQuota ?? JOURNAL_QUOTA;
    const instances = await lockInstances(tx, deliveries);
    const { served, refusals, waiting, heldBack } = plan(instances, deliveries, { now, quota });
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
      waiting,
      heldBack,
      entryCount: entries.length,
    };
  });
}

/**
 * Gives up on one entry that the database will not take: the device is told that it was received, the trail says
 * that it was not kept.
 */
export async function skipEntry(
  deps: JournalDependencies,
  delivery: JournalDelivery,
): Promise<AppliedJournal> {
  return inTransaction(deps.database, async (tx) => {
    const now = deps.clock();
    const quota = deps.journalQuota ?? JOURNAL_QUOTA;
    const instances = await lockInstances(tx, [delivery]);
    const { served, heldBack } = plan(instances, [{ ...delivery, acceptGap: true }], {
      now,
      quota,
    });
    const events = served.flatMap(({ instance, entries }) =>
      entries.map(({ seq, kind }): AuditDraft => ({
        type: 'device.refused',
        actor: actorOf(instance),
        deviceId: instance.device_id,
        data: { reason: 'entry-failed', seq, kind },
      })),
    );
    await recordAudit(tx, events);
    await storeCursors(tx, served, now);
    return {
      acks: served.flatMap(toAck),
      changes: [{ kind: 'audit-trail', deviceIds: [delivery.deviceId] }],
      refusals: [],
      waiting: [],
      heldBack,
      entryCount: 0,
    };
  });
}

const actorOf = (instance: InstanceRow): AuditDraft['actor'] => ({
  kind: 'device',
  id: instance.device_id,
  name: instance.name,
  address: null,
});

/** Only current instances of devices that are served; in the order of ids, so that batches never deadlock. */
async function lockInstances(
  tx: Transaction,
  deliveries: readonly JournalDelivery[],
): Promise<Map<string, InstanceRow>> {
  const ids = sql.param([...new Set(deliveries.map(({ message }) => message.instanceId))]);
  const result = await tx.execute<InstanceRow>(sql`
    select instance.id, instance.device_id, device.name, instance.journal_epoch as epoch,
      instance.journal_up_to as up_to, instance.enrolled_at, instance.journal_tokens as tokens,
      instance.journal_tokens_at as tokens_at
    from device_instance as instance join device on device.id = instance.device_id
    where instance.id = any(${ids}::text[])
      and instance.state = 'current' and device.lifecycle in ('active', 'pending')
    order by instance.id for update of instance`);
  return new Map(result.rows.map((row) => [row.id, row]));
}

function plan(
  instances: ReadonlyMap<string, InstanceRow>,
  deliveries: readonly JournalDelivery[],
  moment: QuotaMoment,
): Pick<AppliedJournal, 'waiting' | 'heldBack'> & { served: Served[]; refusals: Refusal[] } {
  const served = new Map<string, Served>();
  const heldBack = new Map<string, number>();
  const refusals: Refusal[] = [];
  const waiting: JournalDelivery[] = [];
  for (const delivery of deliveries) {
    const { deviceId, message } = delivery;
    const instance = instances.get(message.instanceId);
    if (instance?.device_id !== deviceId) {
      refusals.push({ deviceId, reason: 'not-admitted', detail: 'journal of no current instance' });
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
  return { served: [...served.values()], refusals, waiting, heldBack };
}

function advance(state: Served, step: JournalPlan): void {
  state.cursor = step.cursor;
  state.entries.push(...step.entries);
  if (step.gap) state.gaps.push(step.gap);
  if (step.missing !== null) state.waitMs ??= waitFor(state.quota, step.missing, state.tokens);
  state.tokens -= step.spent;
  state.hasSpent ||= step.spent > 0;
}

const newState = (instance: InstanceRow, { now, quota }: QuotaMoment): Served => ({
  instance,
  cursor: { epoch: instance.epoch, upTo: Number(instance.up_to) },
  quota,
  tokens: tokensAt(now, quota, { left: instance.tokens, at: instance.tokens_at }),
  hasSpent: false,
  waitMs: undefined,
  entries: [],
  gaps: [],
});

function toServedEntries({ instance, entries }: Served): ServedEntry[] {
  const enrolledAt = new Date(instance.enrolled_at);
  return entries.map((entry) => ({
    deviceId: instance.device_id,
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
    deviceId: instance.device_id,
    data: { instanceId: instance.id, epoch: cursor.epoch, ...gap },
  }));
}

function toAck({ instance, cursor, waitMs }: Served): AppliedJournal['acks'][number][] {
  if (cursor.epoch === null) return [];
  const { epoch, upTo } = cursor;
  const ack = { deviceId: instance.device_id, instanceId: instance.id, epoch, upTo };
  return [waitMs === undefined ? ack : { ...ack, waitMs }];
}

async function storeCursors(tx: Transaction, served: readonly Served[], now: Date): Promise<void> {
  const rows = served
    .filter(({ hasSpent }) => hasSpent)
    .map(({ instance, cursor, tokens }) => ({
      id: instance.id,
      epoch: cursor.epoch,
      up_to: cursor.upTo,
      tokens,
    }));
  if (rows.length === 0) return;
  const at = now.toISOString();
  await tx.execute(sql`
    update device_instance as instance
    set journal_epoch = fresh.epoch, journal_up_to = fresh.up_to, last_ping_at = ${at}::timestamptz,
        journal_tokens = fresh.tokens, journal_tokens_at = ${at}::timestamptz
    from ${rowsOf({ id: 'text', epoch: 'uuid', up_to: 'bigint', tokens: 'float8' }, rows)} as fresh
    where instance.id = fresh.id`);
}
