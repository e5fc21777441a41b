import type { z } from 'zod';
import type { DeviceDetail, updateDeviceInput } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { lockEditableFields, updateFields, type EditableFields } from './data/device-queries.ts';
import { refreshDeviceCopies } from './data/refresh-device-copies.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { findDevice } from './find-device.ts';
import { requireNoGainedPermissions } from './gained-permissions.ts';
import { getDevice } from './get-device.ts';
import { requireOwner } from './require-owner.ts';

type UpdateDeviceInput = z.infer<typeof updateDeviceInput>;
const editable = [
  ...(['name', 'model', 'hardwareRevision', 'ownerId'] as const),
  ...(['country', 'timeZone', 'labels'] as const),
] as const satisfies readonly (keyof EditableFields)[];

/** Changes the given fields. If nothing changes, nothing is written or recorded. */
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
    requireNoGainedPermissions(viewer, {
      before: scopeFactsOf(before),
      after: scopeFactsOf({ ...before, ...changes }),
    });
    await requireOwner(tx, viewer, changes.ownerId);
    await updateFields(tx, id, changes);
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

async function lockFields(tx: Transaction, id: string): Promise<EditableFields> {
  const held = await lockEditableFields(tx, id);
  if (held === undefined) throw new PortalError('deviceNotFound', { facts: { device: id } });
  const { lifecycle, ...fields } = held;
  if (lifecycle === 'retired') throw refuse('device-retired');
  return fields;
}

/** Attributes that determine the device's scope. */
const scopeFactsOf = ({ country, model, labels }: EditableFields) => ({
  ...{ country, model, labels },
});

function differences(before: EditableFields, input: UpdateDeviceInput): Partial<EditableFields> {
  return Object.fromEntries(
    editable
      .filter((key) => input[key] !== undefined && stable(input[key]) !== stable(before[key]))
      .map((key) => [key, input[key]]),
  );
}

/** Labels are compared independent of the order of their keys. */
function stable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A user cannot move a device out of their own scope, because they could not revert it. */
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
  readonly before: EditableFields;
  readonly changes: Partial<EditableFields>;
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
