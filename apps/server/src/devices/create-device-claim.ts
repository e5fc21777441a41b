import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { createDeviceClaimInput, CreatedClaim } from '@deviceportal/contract/devices';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { insertClaim, installCommand, type ClaimDraft } from './claim-store.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { findDevice } from './find-device.ts';

const HOUR_MS = 3_600_000;

/**
 * A right to enroll one device on record again, once: the only claim that replaces the instance of a device.
 *
 * @throws PortalError deviceNotFound when the caller may not manage the device
 */
export async function createDeviceClaim(
  deps: DevicesDependencies,
  caller: Caller,
  input: z.infer<typeof createDeviceClaimInput>,
): Promise<CreatedClaim> {
  const expires = new Date(deps.clock().getTime() + input.lifetimeHours * HOUR_MS);
  const expiresAt = expires.toISOString();
  const { id, token, deviceId } = await inTransaction(deps.database, async (tx) => {
    const device = await findDevice(tx, caller.viewer, {
      reference: input.id,
      permissions: ['devices:manage'],
    });
    const claim = await insertClaim(tx, {
      ...(await kindOf(tx, device)),
      uses: 1,
      expiresAt: expires,
      deviceId: device,
      recordedDeviceIds: null,
      createdBy: caller.viewer.username,
    });
    await recordAudit(tx, [
      {
        type: 'device.claim-created',
        actor: actorOf(caller.viewer, caller),
        deviceId: device,
        requestId: caller.requestId,
        data: { claimId: claim.id, uses: 1, expiresAt, model: null },
      },
    ]);
    return { ...claim, deviceId: device };
  });
  deps.changes.publish([{ kind: 'audit-trail', deviceIds: [deviceId] }]);
  const command = installCommand(deps.publicUrl, token);
  return { id, token, expiresAt, uses: 1, installCommand: command, deviceId };
}

type Kind = Pick<ClaimDraft, 'model' | 'ownerId' | 'country' | 'labels'>;

/** The claim is listed to those who manage the device: it has the device's country, model and labels. */
async function kindOf(tx: Transaction, deviceId: string): Promise<Kind> {
  const found = await tx.execute<Kind & Record<string, unknown>>(sql`
    select model, owner_id as "ownerId", country, labels from device where id = ${deviceId}`);
  return found.rows[0] ?? { model: null, ownerId: null, country: null, labels: {} };
}
