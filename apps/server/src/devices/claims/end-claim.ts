import { sql } from 'drizzle-orm';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { hasLostRight } from './claim-right.ts';
import type { RefusedEnrolment } from '../enrollment/refused-enrollment.ts';
import { stillManages } from '../still-manages.ts';

interface EndingClaim {
  readonly id: string;
  readonly only_recorded: boolean;
  /** The one device that it is for. */
  readonly device_id: string | null;
  readonly ended: boolean;
}

/**
 * Ends a claim of which a use has just been spent, where its creator may no longer manage what it enrolls. It stays ended:
 * the trail has it once, however often the claim is tried again.
 *
 * @throws PortalError noPermission when it has ended before
 */
export async function endClaimWithoutRight(
  tx: Transaction,
  claim: EndingClaim,
  address: string,
): Promise<RefusedEnrolment | null> {
  if (claim.ended) throw creatorLostRight();
  const { rowCount } = await tx.execute(sql`
    update claim c set ended_at = portal_now(), uses_left = uses_left + 1
    where c.id = ${claim.id} and ${hasLostRight}`);
  return rowCount === 0 ? null : recordEnd(tx, { claim, deviceId: claim.device_id, address });
}

/** The same for one device of a claim that is for many. */
export async function endClaimOfDevice(
  tx: Transaction,
  claim: EndingClaim,
  { deviceId, address }: { readonly deviceId: string; readonly address: string },
): Promise<RefusedEnrolment | null> {
  if (!claim.only_recorded) return null;
  const { rows } = await tx.execute<{ ended: boolean }>(sql`
    select r.ended_at is not null as ended
    from claim_device r join claim c on c.id = r.claim_id join device d on d.id = r.device_id
    where r.claim_id = ${claim.id} and r.device_id = ${deviceId}
      and (r.ended_at is not null or not ${stillManages(sql`c.created_by_id`)})`);
  const [found] = rows;
  if (found === undefined) return null;
  if (found.ended) throw creatorLostRight();
  await tx.execute(sql`
    update claim_device set ended_at = portal_now() where claim_id = ${claim.id} and device_id = ${deviceId}`);
  return recordEnd(tx, { claim, deviceId, address });
}

async function recordEnd(
  tx: Transaction,
  {
    claim,
    deviceId,
    address,
  }: { readonly claim: EndingClaim; readonly deviceId: string | null; readonly address: string },
): Promise<RefusedEnrolment> {
  await recordAudit(tx, [
    {
      type: 'device.claim-ended',
      actor: { ...systemActor, address },
      deviceId,
      data: { claimId: claim.id, reason: 'right-ended' },
    },
  ]);
  const deviceIds = deviceId === null ? [] : [deviceId];
  return { refusal: creatorLostRight(), changes: [{ kind: 'audit-trail', deviceIds }] };
}

const creatorLostRight = (): PortalError => refuse('claim-creator-without-right');
