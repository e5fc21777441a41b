import { lockRunningAccessGrant } from '../../access/access-grants/find-required-access-grant.ts';
import { endNotifications } from '../../notifications/data/end-notifications.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { deleteRequestOf, findRequestOf } from '../data/enrollment/re-enrollment-queries.ts';
import { subjectOf } from './notify-managers.ts';

/** Ends the request or approval for a device after it has enrolled, or if it cannot. */
export async function endReEnrollment(tx: Transaction, deviceId: string): Promise<void> {
  const ended = await deleteRequestOf(tx, deviceId);
  if (ended !== undefined)
    await endNotifications(tx, { kind: 're-enrolment-asked', subject: subjectOf(ended.id) });
}

/** Spends the approval of a key for a device; null if there is no valid one. */
export async function spendApproval(
  tx: Transaction,
  deviceId: string,
  keyFingerprint: string,
): Promise<string | null> {
  const request = await findRequestOf(tx, deviceId);
  if (request?.decision !== 'approved' || request.keyFingerprint !== keyFingerprint) return null;
  const taken = await deleteRequestOf(tx, deviceId);
  if (taken === undefined || !taken.byManager) return null;
  const { id, accessGrantId } = taken;
  return accessGrantId === null || (await lockRunningAccessGrant(tx, accessGrantId)) ? id : null;
}
