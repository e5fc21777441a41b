import type { EnrollmentRequest } from '@deviceportal/device-protocol/enrollment';
import { PortalError } from '@deviceportal/contract/errors';
import { newId, serialNumberSchema } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { SpentClaim } from '../data/enrollment/claim-queries.ts';
import {
  insertPendingDevice,
  lockDeviceById,
  lockDeviceBySerial,
  type EnrollingDevice,
} from '../data/enrollment/enrollment-queries.ts';
import { serialRankOf } from '../data/refresh-device-copies.ts';

export interface FoundDevice {
  readonly device: EnrollingDevice;
  readonly created: boolean;
}

/**
 * The device that a machine enrolls as, locked: the device of the claim, the one with its serial number, or a new one.
 *
 * @throws PortalError noPermission if the claim is not for this serial number
 */
export async function findOrCreateDevice(
  tx: Transaction,
  claim: SpentClaim,
  request: EnrollmentRequest,
): Promise<FoundDevice> {
  const parsed = serialNumberSchema.safeParse(request.serialNumber);
  const serialNumber = parsed.success ? parsed.data : null;
  if (claim.deviceId !== null) {
    const device = await lockDeviceById(tx, claim.deviceId);
    if (device === undefined) throw refuse('claim-without-device');
    if (device.engine !== 'agent') throw refuse('claim-of-managed-instance');
    const isAnother =
      device.serialNumber !== null && serialNumber !== null && device.serialNumber !== serialNumber;
    if (isAnother) throw refuse('claim-of-other-serial-number');
    return { device, created: false };
  }
  const known = serialNumber === null ? undefined : await lockDeviceBySerial(tx, serialNumber);
  if (known !== undefined) return { device: known, created: false };
  if (claim.onlyRecorded) throw refuse('claim-not-covering');
  return createDevice(tx, claim, { request, serialNumber });
}

async function createDevice(
  tx: Transaction,
  claim: SpentClaim,
  { request, serialNumber }: { request: EnrollmentRequest; serialNumber: string | null },
): Promise<FoundDevice> {
  const id = newId();
  const device = await insertPendingDevice(tx, {
    ...{ id, serialNumber, serialRank: serialRankOf(serialNumber, id) },
    name: request.hostName.trim().slice(0, 128) || serialNumber || id,
    model: claim.model ?? request.model,
    ownerId: claim.ownerId,
    country: claim.country,
    labels: claim.labels,
  });
  if (device !== undefined) return { device, created: true };
  // A device with the same serial number was enrolled concurrently.
  const other = serialNumber === null ? undefined : await lockDeviceBySerial(tx, serialNumber);
  if (other === undefined)
    throw new PortalError('unknown', { detail: 'device deleted during enrollment' });
  return { device: other, created: false };
}
