import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { DeviceDetail, updateDeviceInput } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { refreshDeviceCopies } from './device-copies-store.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { findDevice } from './find-device.ts';
import { requireNoFurtherReach } from './further-reach.ts';
import { getDevice } from './get-device.ts';
import { requireOwner } from './require-owner.ts';

type UpdateDeviceInput = z.infer<typeof updateDeviceInput>;
type EditableFields = Omit<UpdateDeviceInput, 'id'>;

const columns = {
  name: 'name',
  model: 'model',
  hardwareRevision: 'hardware_revision',
  ownerId: 'owner_id',
  country: 'country',
  timeZone: 'time_zone',
  labels: 'labels',
} as const satisfies Record<keyof EditableFields, string>;

/** Changes what is given and leaves the rest. Nothing is written, and nothing recorded, when nothing changes. */
export async function updateDevice(
  deps: DevicesDependencies,
  caller: Caller,
  input: UpdateDeviceInput,
): Promise<DeviceDetail> {
  const { viewer } = caller;
  const id = await findDevice(deps.database.orm, viewer, {
    reference: input.id,
    permissions: ['devices:manage'],
  });
  const changed = await inTransaction(deps.database, async (tx) => {
    const before = await lockFields(tx, id);
    const changes = differences(before, input);
    if (Object.keys(changes).length === 0) return false;
    requireNoFurtherReach(viewer, {
      before: scopeFactsOf(before),
      after: scopeFactsOf({ ...before, ...changes }),
    });
    await requireOwner(tx, viewer, changes.ownerId);
    await writeFields(tx, id, changes);
    await refreshDeviceCopies(tx, [id]);
    await requireStillInScope(tx, caller, id);
    await recordAudit(tx, auditOf({ caller, id, before, changes }));
    return true;
  });
  if (changed) {
    deps.changes.publish([
      { kind: 'device-changed', deviceIds: [id] },
      { kind: 'audit-trail', deviceIds: [id] },
    ]);
  }
  return getDevice(deps, viewer, id);
}

async function lockFields(tx: Transaction, id: string): Promise<Required<EditableFields>> {
  const found = await tx.execute<
    Required<EditableFields> & { lifecycle: string } & Record<string, unknown>
  >(sql`
    select name, model, hardware_revision as "hardwareRevision", owner_id as "ownerId", country,
      time_zone as "timeZone", labels, lifecycle
    from device where id = ${id} for update`);
  const row = found.rows[0];
  if (row === undefined) throw new PortalError('deviceNotFound', { facts: { device: id } });
  if (row.lifecycle === 'retired') {
    throw refuse('device-retired');
  }
  const { lifecycle: _, ...fields } = row;
  return fields;
}

/** What decides who reaches it. */
const scopeFactsOf = ({ country = null, model = null, labels = {} }: EditableFields) => ({
  ...{ country, model, labels },
});

function differences(before: Required<EditableFields>, input: UpdateDeviceInput): EditableFields {
  const keys = Object.keys(columns) as (keyof EditableFields)[];
  return Object.fromEntries(
    keys
      .filter((key) => input[key] !== undefined && stable(input[key]) !== stable(before[key]))
      .map((key) => [key, input[key]]),
  );
}

/** Labels are equal whatever the order of their keys. */
function stable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

async function writeFields(tx: Transaction, id: string, changes: EditableFields): Promise<void> {
  const assignments = Object.entries(changes).map(([key, value]) => {
    const column = sql.identifier(columns[key as keyof EditableFields]);
    return key === 'labels'
      ? sql`${column} = ${JSON.stringify(value)}::jsonb`
      : sql`${column} = ${value}`;
  });
  await tx.execute(
    sql`update device set ${sql.join(assignments, sql`, `)}, updated_at = portal_now() where id = ${id}`,
  );
}

/** Nobody may push a device out of their own sight, where they could not take it back. */
async function requireStillInScope(tx: Transaction, caller: Caller, id: string): Promise<void> {
  try {
    await findDevice(tx, caller.viewer, { reference: id, permissions: ['devices:manage'] });
  } catch (cause) {
    throw refuse('device-out-of-reach', { cause });
  }
}

function auditOf(change: {
  readonly caller: Caller;
  readonly id: string;
  readonly before: Required<EditableFields>;
  readonly changes: EditableFields;
}): AuditDraft[] {
  const { caller, id, before, changes } = change;
  const base = {
    actor: actorOf(caller.viewer, caller),
    deviceId: id,
    requestId: caller.requestId,
  };
  const { labels, ...fields } = changes;
  const old = Object.fromEntries(
    Object.keys(fields).map((key) => [key, before[key as keyof EditableFields]]),
  );
  return [
    ...(Object.keys(fields).length === 0
      ? []
      : [{ ...base, type: 'device.updated' as const, data: { before: old, after: fields } }]),
    ...(labels === undefined
      ? []
      : [
          {
            ...base,
            type: 'device.labels-changed' as const,
            data: { before: before.labels, after: labels },
          },
        ]),
  ];
}
