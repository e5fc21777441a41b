import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  endClaimIfLost,
  findLostDevice,
  markDeviceLost,
  type SpentClaim,
} from '../data/enrollment/claim-queries.ts';
import type { RefusedEnrollment } from '../enrollment/refused-enrollment.ts';

type EndingClaim = Pick<SpentClaim, 'id' | 'onlyRecorded' | 'deviceId' | 'ended'>;

/**
 * Ends a claim of which a use has just been spent, if its creator can no longer manage the devices that it enrolls.
 * Recorded once in the audit trail, however often the claim is used again.
 *
 * @throws PortalError noPermission if it has already ended
 */
export async function endClaimWithoutRight(
  tx: Transaction,
  claim: EndingClaim,
  address: string,
): Promise<RefusedEnrollment | null> {
  if (claim.ended) throw creatorWithoutPermission();
  if (!(await endClaimIfLost(tx, claim.id))) return null;
  return recordEnd(tx, { claim, deviceId: claim.deviceId, address });
}

/** Ends a claim for many devices for one of them. */
export async function endClaimOfDevice(
  tx: Transaction,
  claim: EndingClaim,
  { deviceId, address }: { readonly deviceId: string; readonly address: string },
): Promise<RefusedEnrollment | null> {
  if (!claim.onlyRecorded) return null;
  const lost = await findLostDevice(tx, claim.id, deviceId);
  if (lost === undefined) return null;
  if (lost.ended) throw creatorWithoutPermission();
  await markDeviceLost(tx, claim.id, deviceId);
  return recordEnd(tx, { claim, deviceId, address });
}

async function recordEnd(
  tx: Transaction,
  {
    claim,
    deviceId,
    address,
  }: { readonly claim: EndingClaim; readonly deviceId: string | null; readonly address: string },
): Promise<RefusedEnrollment> {
  await recordAudit(tx, [
    {
      type: 'device.claim-ended',
      actor: { ...systemActor, address },
      deviceId,
      data: { claimId: claim.id, reason: 'right-ended' },
    },
  ]);
  const deviceIds = deviceId === null ? [] : [deviceId];
  return { refusal: creatorWithoutPermission(), changes: [{ kind: 'audit-trail', deviceIds }] };
}

const creatorWithoutPermission = (): PortalError => refuse('claim-creator-without-right');
