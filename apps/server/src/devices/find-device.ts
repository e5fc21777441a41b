import { PortalError } from '@deviceportal/contract/errors';
import type { Permission } from '@deviceportal/contract/permissions';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findDeviceWithin } from './data/find-devices.ts';

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The ID of a device in the scope of one of the permissions, by ID or serial number.
 * @throws PortalError deviceNotFound (6000), also if the device is outside the viewer's scope
 */
export async function findDevice(
  on: Executor,
  viewer: Viewer,
  wanted: { readonly reference: string; readonly permissions: readonly Permission[] },
): Promise<string> {
  const { reference, permissions } = wanted;
  const id = await findDeviceWithin(
    on,
    viewer,
    permissions,
    uuidShape.test(reference) ? { id: reference } : { serialNumber: reference.toUpperCase() },
  );
  if (id === undefined) throw new PortalError('deviceNotFound', { facts: { device: reference } });
  return id;
}
