import type { CreatedClaim } from '@deviceportal/contract/devices';
import {
  findRequiredAccessGrant,
  wherever,
} from '../../access/access-grants/find-required-access-grant.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { claimFacts, issueClaim } from './issue-claim.ts';

/** Creates a claim that enrolls exactly these devices, with one use for each. */
export async function createImportClaim(
  tx: Transaction,
  caller: Caller,
  { deviceIds, expiresAt }: { readonly deviceIds: readonly string[]; readonly expiresAt: Date },
): Promise<Omit<CreatedClaim, 'installCommand'>> {
  const { viewer } = caller;
  const claim = await issueClaim(tx, {
    ...{ model: null, ownerId: null, country: null, labels: {}, deviceId: null },
    ...{ uses: deviceIds.length, expiresAt, recordedDeviceIds: deviceIds },
    createdBy: viewer.username,
    createdById: viewer.userId,
    bond: await findRequiredAccessGrant(tx, viewer, wherever(viewer, ['devices:manage'])),
  });
  await recordAudit(tx, [
    {
      type: 'device.claim-created',
      actor: actorOf(viewer, caller),
      requestId: caller.requestId,
      data: { ...claimFacts(claim), uses: deviceIds.length },
    },
  ]);
  return { ...claim, uses: deviceIds.length, deviceId: null };
}
