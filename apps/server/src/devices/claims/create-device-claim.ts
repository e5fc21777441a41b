import type { z } from 'zod';
import type { createDeviceClaimInput, CreatedClaim } from '@deviceportal/contract/devices';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import { findRequiredAccessGrant } from '../../access/access-grants/find-required-access-grant.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { findKindOf } from '../data/enrollment/enrollment-queries.ts';
import { claimFacts, issueClaim } from './issue-claim.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { findDevice } from '../find-device.ts';

const HOUR_MS = 3_600_000;

/**
 * Creates a claim that enrolls one existing device again, once: the only kind of claim that replaces the instance of a
 * device.
 *
 * @throws PortalError deviceNotFound if the caller cannot manage the device
 */
export async function createDeviceClaim(
  deps: DevicesDependencies,
  caller: Caller,
  input: z.infer<typeof createDeviceClaimInput>,
): Promise<CreatedClaim> {
  const expiresAt = new Date(deps.clock().getTime() + input.lifetimeHours * HOUR_MS);
  const created = await inTransaction(deps.database, async (tx) => {
    const device = await findDevice(tx, caller.viewer, {
      reference: input.id,
      permissions: ['devices:manage'],
    });
    // The claim gets the country, model, and labels of the device, so that users who manage the device can see it.
    const kind = await findKindOf(tx, device);
    const bond = await findRequiredAccessGrant(tx, caller.viewer, (grants) =>
      reaches(scopesOf(grants, ['devices:manage']), kind),
    );
    const claim = await issueClaim(tx, {
      ...kind,
      uses: 1,
      expiresAt,
      bond,
      deviceId: device,
      recordedDeviceIds: null,
      createdBy: caller.viewer.username,
      createdById: caller.viewer.userId,
    });
    await recordAudit(tx, [
      {
        type: 'device.claim-created',
        actor: actorOf(caller.viewer, caller),
        deviceId: device,
        requestId: caller.requestId,
        data: { ...claimFacts(claim), uses: 1, model: null },
      },
    ]);
    return { ...claim, deviceId: device };
  });
  deps.changes.publish([{ kind: 'audit-trail', deviceIds: [created.deviceId] }]);
  const command = await deps.installCommand(created.token);
  return { ...created, uses: 1, installCommand: command };
}
