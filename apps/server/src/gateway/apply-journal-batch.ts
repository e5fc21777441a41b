import { sql } from 'drizzle-orm';
import type {
  AckMessage,
  JournalEntry,
  JournalMessage,
} from '@deviceportal/device-protocol/journal';
import { recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import type { Change } from '../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { applyEntries, type ServedEntry } from './apply-entries.ts';
import type { Refusal } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { planJournal, type JournalCursor, type JournalPlan } from './plan-journal.ts';

/** A journal message as it came. */
export interface JournalDelivery {
  readonly deviceId: string;
  readonly message: JournalMessage;
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
  readonly entryCount: number;
}

type InstanceRow = Record<string, unknown> & {
  readonly id: string;
  readonly device_id: string;
  readonly name: string;
  readonly epoch: string | null;
  readonly up_to: number | string;
  readonly enrolled_at: string | Date;
};

interface Served {
  readonly instance: InstanceRow;
  cursor: JournalCursor;
  readonly entries: JournalEntry[];
  readonly gaps: NonNullable<JournalPlan['gap']>[];
}

/**
 * Applies the journals of many devices in one transaction of a handful of statements. When it returns, everything is
 * committed and may be acknowledged; when it throws, nothing has changed.
 */
export async function applyJournalBatch(
  deps: Pick<GatewayDependencies, 'database' | 'clock'>,
  deliveries: readonly JournalDelivery[],
): Promise<AppliedJournal> {
  return inTransaction(deps.database, async (tx) => {
    const now = deps.clock();
    const instances = await lockInstances(tx, deliveries);
    const { served, refusals, waiting } = plan(instances, deliveries);
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
      entryCount: entries.length,
    };
  });
}

/**
 * Gives up on one entry that the database will not take: the device is told that it was received, the trail says
 * that it was not kept.
 */
export async function skipEntry(
  deps: Pick<GatewayDependencies, 'database' | 'clock'>,
  delivery: JournalDelivery,
): Promise<AppliedJournal> {
  return inTransaction(deps.database, async (tx) => {
    const instances = await lockInstances(tx, [delivery]);
    const { served } = plan(instances, [{ ...delivery, acceptGap: true }]);
    const events = served.flatMap(({ instance, entries }) =>
      entries.map(({ seq, kind }): AuditDraft => ({
        type: 'device.refused',
        actor: actorOf(instance),
        deviceId: instance.device_id,
        data: { reason: 'entry-failed', seq, kind },
      })),
    );
    await recordAudit(tx, events);
    await storeCursors(tx, served, deps.clock());
    return {
      acks: served.flatMap(toAck),
      changes: [{ kind: 'audit-trail', deviceIds: [delivery.deviceId] }],
      refusals: [],
      waiting: [],
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
      instance.journal_up_to as up_to, instance.enrolled_at
    from device_instance as instance join device on device.id = instance.device_id
    where instance.id = any(${ids}::text[])
      and instance.state = 'current' and device.lifecycle in ('active', 'pending')
    order by instance.id for update of instance`);
  return new Map(result.rows.map((row) => [row.id, row]));
}

function plan(
  instances: ReadonlyMap<string, InstanceRow>,
  deliveries: readonly JournalDelivery[],
): { served: Served[]; refusals: Refusal[]; waiting: JournalDelivery[] } {
  const served = new Map<string, Served>();
  const refusals: Refusal[] = [];
  const waiting: JournalDelivery[] = [];
  for (const delivery of deliveries) {
    const { deviceId, message } = delivery;
    const instance = instances.get(message.instanceId);
    if (instance?.device_id !== deviceId) {
      refusals.push({ deviceId, reason: 'not-admitted', detail: 'journal of no current instance' });
      continue;
    }
    const state = served.get(instance.id) ?? newState(instance);
    served.set(instance.id, state);
    const step = planJournal(state.cursor, message, delivery.acceptGap);
    state.cursor = step.cursor;
    state.entries.push(...step.entries);
    if (step.gap) state.gaps.push(step.gap);
    if (step.waits) waiting.push(delivery);
  }
  return { served: [...served.values()], refusals, waiting };
}

const newState = (instance: InstanceRow): Served => ({
  instance,
  cursor: { epoch: instance.epoch, upTo: Number(instance.up_to) },
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

function toAck({ instance, cursor }: Served): AppliedJournal['acks'][number][] {
  if (cursor.epoch === null) return [];
  const { epoch, upTo } = cursor;
  return [{ deviceId: instance.device_id, instanceId: instance.id, epoch, upTo }];
}

async function storeCursors(tx: Transaction, served: readonly Served[], now: Date): Promise<void> {
  const rows = served
    .filter(({ entries }) => entries.length > 0)
    .map(({ instance, cursor }) => ({ id: instance.id, epoch: cursor.epoch, up_to: cursor.upTo }));
  if (rows.length === 0) return;
  await tx.execute(sql`
    update device_instance as instance
    set journal_epoch = fresh.epoch, journal_up_to = fresh.up_to, last_ping_at = ${now.toISOString()}::timestamptz
    from ${rowsOf({ id: 'text', epoch: 'uuid', up_to: 'bigint' }, rows)} as fresh
    where instance.id = fresh.id`);
}
