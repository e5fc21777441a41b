import type { ReEnrollmentRequest } from '@deviceportal/contract/re-enrollment';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { findShownRequest } from '../data/enrollment/re-enrollment-queries.ts';

/** The pending or approved request for a device; null if there is none visible to the viewer. */
export async function getReEnrollment(
  { database }: DevicesDependencies,
  viewer: Viewer,
  deviceId: string,
): Promise<ReEnrollmentRequest | null> {
  const row = await findShownRequest(database.orm, viewer, deviceId);
  if (row === undefined) return null;
  return {
    ...row,
    askedAt: row.askedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    approvedBy: row.approvedBy === null ? null : maskUser(row.approvedBy, viewer),
  };
}
