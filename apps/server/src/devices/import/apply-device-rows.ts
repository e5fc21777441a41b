import { isDeepStrictEqual } from 'node:util';
import { RowRace } from '../../imports/row-race.ts';
import type { RowChange, RowOrigin } from '../../imports/row-kind.ts';
import { actorOf, recordAudit, type AuditDraft } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { writeDeviceBatch } from '../data/enrollment/device-batch-queries.ts';
import { refreshDeviceCopies } from '../data/refresh-device-copies.ts';
import { insertDevices } from '../enrollment/create-devices.ts';
import type { DeviceValues } from './judge-device-rows.ts';

/** Adds and changes devices. The events have the ID of the import as their request. */
export async function applyDeviceRows(
  tx: Transaction,
  origin: RowOrigin,
  rows: readonly RowChange<DeviceValues>[],
): Promise<readonly Change[]> {
  const fresh = rows.filter(({ before }) => before === null);
  const by = { actor: actorOf(origin.caller.viewer, origin.caller), requestId: origin.importId };
  const added = await insertDevices(
    tx,
    { people: [], devices: fresh.map(({ targetId, after }) => ({ id: targetId, ...after })) },
    by,
  );
  if (added.size < fresh.length)
    throw new RowRace('a device with the same serial number was added');
  await changeDevices(tx, origin, rows);
  return changesOf(rows.map(({ targetId }) => targetId));
}

/** Writes new values of existing devices, with an event for fields and one for labels as after an edit. */
export async function changeDevices(
  tx: Transaction,
  { caller, importId }: RowOrigin,
  rows: readonly RowChange<DeviceValues>[],
): Promise<void> {
  const changed = rows.flatMap(({ before, ...row }) =>
    before === null ? [] : [{ ...row, before }],
  );
  if (changed.length === 0) return;
  await writeDeviceBatch(
    tx,
    changed.map(({ targetId, after }) => ({ id: targetId, ...after })),
  );
  await refreshDeviceCopies(
    tx,
    changed.map(({ targetId }) => targetId),
  );
  const actor = actorOf(caller.viewer, caller);
  await recordAudit(
    tx,
    changed.flatMap(({ targetId, before, after }) =>
      eventsOf(before, after).map((event) => ({
        ...event,
        ...{ actor, deviceId: targetId, requestId: importId },
      })),
    ),
  );
}

const fields = ['name', 'model', 'ownerId', 'country'] as const;

function eventsOf(before: DeviceValues, after: DeviceValues): Pick<AuditDraft, 'type' | 'data'>[] {
  const changed = fields.filter((field) => before[field] !== after[field]);
  const some = (values: DeviceValues) =>
    Object.fromEntries(changed.map((field) => [field, values[field]]));
  return [
    ...(changed.length === 0
      ? []
      : [
          {
            type: 'device.updated' as const,
            data: { by: 'import', before: some(before), after: some(after) },
          },
        ]),
    ...(isDeepStrictEqual(before.labels, after.labels)
      ? []
      : [
          {
            type: 'device.labels-changed' as const,
            data: { by: 'import', before: before.labels, after: after.labels },
          },
        ]),
  ];
}

export const changesOf = (deviceIds: readonly string[]): readonly Change[] =>
  deviceIds.length === 0
    ? []
    : [
        { kind: 'device-changed', deviceIds },
        { kind: 'audit-trail', deviceIds },
      ];
