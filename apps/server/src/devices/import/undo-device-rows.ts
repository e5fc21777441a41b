import { isDeepStrictEqual } from 'node:util';
import type { PortalError } from '@deviceportal/contract/errors';
import { reaches, scopesOf, type Scope } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { findDevicesWithOtherEvents } from '../../audit-trail/data/find-devices-with-other-events.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { RowChange, RowOrigin, RowProblem } from '../../imports/row-kind.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { deletePendingDevices } from '../data/enrollment/delete-pending-devices.ts';
import { lockDevicesBySerial } from '../data/enrollment/device-batch-queries.ts';
import { gainedPermissions, permissionsGainedError } from '../gained-permissions.ts';
import { changeDevices, changesOf } from './apply-device-rows.ts';
import { valuesOf, type DeviceValues } from './judge-device-rows.ts';

type KnownDevice = Awaited<ReturnType<typeof lockDevicesBySerial>>[number];

/** Deletes devices that were added and never used, and restores the values of others that are as the import left them. */
export async function undoDeviceRows(
  tx: Transaction,
  origin: RowOrigin,
  rows: readonly RowChange<DeviceValues>[],
): Promise<{ left: readonly (RowProblem | null)[]; changes: readonly Change[] }> {
  const devices = await lockDevicesBySerial(
    tx,
    rows.map(({ after }) => after.serialNumber),
  );
  const known = new Map(devices.map((device) => [device.id, device]));
  const added = rows.filter(({ before }) => before === null).map(({ targetId }) => targetId);
  const used = await findDevicesWithOtherEvents(tx, {
    deviceIds: added,
    since: origin.createdAt,
    requestId: origin.importId,
  });
  const left = rows.map((row) =>
    problemOf(origin.caller.viewer, { ...row, device: known.get(row.targetId), used }),
  );
  const undone = rows.filter((_, index) => left[index] === null);
  await changeDevices(
    tx,
    origin,
    undone.flatMap(({ targetId, before, after }) =>
      before === null ? [] : [{ targetId, before: after, after: before }],
    ),
  );
  await deleteDevices(
    tx,
    origin,
    undone.filter(({ before }) => before === null),
  );
  return { left, changes: changesOf(undone.map(({ targetId }) => targetId)) };
}

async function deleteDevices(
  tx: Transaction,
  { caller, importId }: RowOrigin,
  rows: readonly RowChange<DeviceValues>[],
): Promise<void> {
  await deletePendingDevices(
    tx,
    rows.map(({ targetId }) => targetId),
  );
  const actor = actorOf(caller.viewer, caller);
  await recordAudit(
    tx,
    rows.map(({ targetId, after: { serialNumber, name, model } }) => ({
      type: 'device.deleted' as const,
      ...{ actor, deviceId: targetId, requestId: importId },
      data: { by: 'import', serialNumber, name, model },
    })),
  );
}

function problemOf(
  viewer: Viewer,
  row: RowChange<DeviceValues> & {
    readonly device: KnownDevice | undefined;
    readonly used: ReadonlySet<string>;
  },
): RowProblem | null {
  const refusal = refusalOf(viewer, row);
  return refusal === undefined ? null : { column: null, refusal };
}

function refusalOf(
  viewer: Viewer,
  { device, used, targetId, before, after }: Parameters<typeof problemOf>[1],
): PortalError | undefined {
  const scopes: readonly Scope[] = scopesOf(viewer.grants, ['devices:manage']);
  if (device === undefined) return refuse('import-changed-since');
  if (!reaches(scopes, device) || (before !== null && !reaches(scopes, before)))
    return refuse('import-out-of-reach');
  if (!isDeepStrictEqual(valuesOf(device), after) || device.lifecycle === 'retired')
    return refuse('import-changed-since');
  if (before === null) {
    const isUnused = device.lifecycle === 'pending' && !used.has(targetId);
    return isUnused ? undefined : refuse('import-changed-since');
  }
  const gained = gainedPermissions(viewer, { before: device, after: before });
  return gained.length > 0 ? permissionsGainedError(gained) : undefined;
}
