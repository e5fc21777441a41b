import type { z } from 'zod';
import type { createClaimInput, CreatedClaim } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import {
  findRequiredAccessGrant,
  type GrantsSuffice,
} from '../../access/access-grants/find-required-access-grant.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { claimFacts, issueClaim } from './issue-claim.ts';
import { insertDevices } from '../enrollment/create-devices.ts';
import { findDeviceIdBySerial } from '../data/find-device-id.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { findDevice } from '../find-device.ts';
import { requireOwner } from '../require-owner.ts';

type CreateClaimInput = z.infer<typeof createClaimInput>;

const HOUR_MS = 3_600_000;

/**
 * Creates a claim. With `device`, the claim is for one device, which is created unless its serial number already
 * exists.
 *
 * @throws PortalError noPermission if its devices would be outside the caller's scope
 */
export async function createClaim(
  deps: DevicesDependencies,
  caller: Caller,
  input: CreateClaimInput,
): Promise<CreatedClaim> {
  const grantsSuffice: GrantsSuffice = (grants) =>
    reaches(scopesOf(grants, ['devices:manage']), input);
  if (!grantsSuffice(caller.viewer.grants)) throw outOfScope();
  const created = await inTransaction(deps.database, async (tx) => {
    await requireOwner(tx, caller.viewer, input.ownerId);
    const deviceId = input.device === null ? null : await findOrCreateRecord(tx, caller, input);
    const expiresAt = new Date(deps.clock().getTime() + input.lifetimeHours * HOUR_MS);
    const uses = deviceId === null ? input.uses : 1;
    const claim = await issueClaim(tx, {
      ...input,
      uses,
      expiresAt,
      bond: await findRequiredAccessGrant(tx, caller.viewer, grantsSuffice),
      deviceId,
      recordedDeviceIds: null,
      createdBy: caller.viewer.username,
      createdById: caller.viewer.userId,
    });
    await recordAudit(tx, [
      {
        type: 'device.claim-created',
        actor: actorOf(caller.viewer, caller),
        deviceId,
        requestId: caller.requestId,
        data: { ...claimFacts(claim), uses, model: input.model },
      },
    ]);
    return { ...claim, uses, deviceId };
  });
  if (created.deviceId !== null) {
    deps.changes.publish([
      { kind: 'device-changed', deviceIds: [created.deviceId] },
      { kind: 'audit-trail', deviceIds: [created.deviceId] },
    ]);
  }
  return { ...created, installCommand: await deps.installCommand(created.token) };
}

function outOfScope(): PortalError {
  return refuse('claim-out-of-reach', { facts: { permission: 'devices:manage' } });
}

async function findOrCreateRecord(
  tx: Transaction,
  caller: Caller,
  input: CreateClaimInput,
): Promise<string> {
  const { serialNumber = null, name = '' } = input.device ?? {};
  if (serialNumber !== null) {
    if ((await findDeviceIdBySerial(tx, serialNumber)) !== null) {
      return findDevice(tx, caller.viewer, {
        reference: serialNumber,
        permissions: ['devices:manage'],
      });
    }
  }
  const created = await insertDevices(
    tx,
    {
      people: [],
      devices: [
        {
          serialNumber,
          name,
          model: input.model,
          ownerId: input.ownerId,
          country: input.country,
          labels: input.labels,
        },
      ],
    },
    { actor: actorOf(caller.viewer, caller), requestId: caller.requestId },
  );
  const [id] = created.values();
  if (id === undefined) throw new PortalError('unknown', { detail: 'device not stored' });
  return id;
}
