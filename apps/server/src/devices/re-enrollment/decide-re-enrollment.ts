import type { z } from 'zod';
import type { PortalError } from '@deviceportal/contract/errors';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import type { decideReEnrollmentInput } from '@deviceportal/contract/re-enrollment';
import { refuse } from '@deviceportal/contract/refuse';
import { findRequiredAccessGrant } from '../../access/access-grants/find-required-access-grant.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { endNotifications } from '../../notifications/data/end-notifications.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { findDeviceWithin } from '../data/find-devices.ts';
import { findKindOf } from '../data/enrollment/enrollment-queries.ts';
import {
  lockRequestById,
  storeApproval,
  storeRejection,
  type LiveRequest,
} from '../data/enrollment/re-enrollment-queries.ts';
import { subjectOf } from './notify-managers.ts';

type Decide = z.infer<typeof decideReEnrollmentInput>;

/**
 * Allows the machine with the request's key to become the device, once.
 *
 * @throws PortalError 6000 if the caller cannot manage the device; 2004 if the request is no longer pending
 */
export async function approveReEnrollment(
  deps: DevicesDependencies,
  caller: Caller,
  input: Decide,
): Promise<void> {
  await decide(deps, caller, input, async (tx, request) => {
    if (request.decision !== null) throw over(request.id);
    const kind = await findKindOf(tx, request.deviceId);
    const bond = await findRequiredAccessGrant(tx, caller.viewer, (grants) =>
      reaches(scopesOf(grants, ['devices:manage']), kind),
    );
    const { userId, username } = caller.viewer;
    await storeApproval(tx, request.id, { by: { id: userId, name: username }, bond });
    return 'device.re-enrolment-approved';
  });
}

/**
 * Rejects a request, also after its approval until the machine has enrolled.
 * @throws PortalError as `approveReEnrollment`
 */
export async function rejectReEnrollment(
  deps: DevicesDependencies,
  caller: Caller,
  input: Decide,
): Promise<void> {
  await decide(deps, caller, input, async (tx, request) => {
    if (request.decision === 'rejected') throw over(request.id);
    await storeRejection(tx, request.id, caller.viewer.username);
    return 'device.re-enrolment-rejected';
  });
}

async function decide(
  deps: DevicesDependencies,
  caller: Caller,
  { id }: Decide,
  carryOut: (
    tx: Transaction,
    request: LiveRequest,
  ) => Promise<'device.re-enrolment-approved' | 'device.re-enrolment-rejected'>,
): Promise<void> {
  const deviceId = await inTransaction(deps.database, async (tx) => {
    const request = await lockRequestById(tx, id);
    if (request === undefined) throw over(id);
    const { keyFingerprint } = request;
    const within = { id: request.deviceId };
    const device = await findDeviceWithin(tx, caller.viewer, ['devices:manage'], within);
    // The same response as for an unknown ID: a request outside the scope is not revealed.
    if (device === undefined) throw over(id);
    const type = await carryOut(tx, request);
    await endNotifications(tx, { kind: 're-enrolment-asked', subject: subjectOf(id) });
    await recordAudit(tx, [
      {
        type,
        actor: actorOf(caller.viewer, caller),
        deviceId: device,
        requestId: caller.requestId,
        data: { reEnrolmentId: id, keyFingerprint },
      },
    ]);
    return device;
  });
  deps.changes.publish([
    { kind: 'device-changed', deviceIds: [deviceId] },
    { kind: 'audit-trail', deviceIds: [deviceId] },
  ]);
}

const over = (id: string): PortalError =>
  refuse('re-enrollment-decided', { field: 'id', facts: { reEnrollmentId: id } });
