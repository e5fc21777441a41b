import { sql } from 'drizzle-orm';
import { refuse } from '@deviceportal/contract/refuse';
import { reaches } from '@deviceportal/contract/permissions';
import type { DeviceLifecycle } from '@deviceportal/contract/states';
import type { Transaction } from '../../platform/database/database.ts';
import { isClaimOfLocalAgent } from '../claims/claim-for-local-agent.ts';
import { standingOf, type DeviceCertificate } from './standing-of-certificate.ts';

/** A certificate of ours whose key the machine holds, as its subject names it. */
export interface FormerCertificate extends DeviceCertificate {
  /** Common name. */
  readonly deviceId: string | null;
}

interface EnrollingClaim {
  readonly id: string;
  readonly device_id: string | null;
  readonly only_recorded: boolean;
  readonly model: string | null;
  readonly country: string | null;
  readonly labels: Record<string, string>;
}

interface DeviceOnRecord {
  readonly id: string;
  readonly model: string | null;
  readonly country: string | null;
  readonly labels: Record<string, string>;
  readonly lifecycle: DeviceLifecycle;
}

/** `by-approval`: only when a person approves it for the machine's key. */
export type RightToEnrol = 'held' | 'by-approval';

/**
 * Whether the machine may become this device on record. A serial number is no secret, so it is never enough to replace
 * the instance of a device: that needs a claim for this one device, the key of its current instance, or a person.
 *
 * @param former the certificate whose key the machine holds
 * @throws PortalError noPermission
 */
export async function requireRightToEnrol(
  tx: Transaction,
  { claim, device }: { readonly claim: EnrollingClaim; readonly device: DeviceOnRecord },
  former: FormerCertificate | undefined,
): Promise<RightToEnrol> {
  if (claim.device_id !== null && claim.device_id !== device.id) {
    throw refuse('claim-of-other-device');
  }
  if (claim.only_recorded && !(await claimCovers(tx, claim.id, device.id))) {
    throw refuse('claim-not-covering');
  }
  if (device.lifecycle === 'retired') throw refuse('enrolling-device-retired');
  if (device.lifecycle === 'suspended') {
    throw refuse('enrolling-device-suspended');
  }
  if (claim.device_id !== null) return 'held';
  const current = await findCurrentInstance(tx, device.id);
  if (current !== undefined && isCertificateOf(former, { ...current, deviceId: device.id }))
    return 'held';
  await requireKindOfClaim(tx, claim, device);
  return current === undefined && device.lifecycle === 'pending' ? 'held' : 'by-approval';
}

/**
 * A claim for any device enrols one on record only where that is the kind of device the claim is for: the person who
 * created it may be limited to that kind.
 */
async function requireKindOfClaim(
  tx: Transaction,
  claim: EnrollingClaim,
  device: DeviceOnRecord,
): Promise<void> {
  const kind = {
    countries: claim.country === null ? [] : [claim.country],
    models: claim.model === null ? [] : [claim.model],
    labels: claim.labels,
  };
  if (claim.only_recorded || reaches([kind], device)) return;
  if (await isClaimOfLocalAgent(tx, claim.id)) return;
  throw refuse('claim-not-covering-device');
}

interface CurrentInstance extends Record<string, unknown> {
  readonly id: string;
  readonly fingerprint: string;
  readonly starts_at: string | Date | null;
}

async function findCurrentInstance(
  tx: Transaction,
  deviceId: string,
): Promise<CurrentInstance | undefined> {
  const found = await tx.execute<CurrentInstance>(sql`
    select id, certificate_fingerprint as fingerprint, certificate_starts_at as starts_at from device_instance
    where device_id = ${deviceId} and state = 'current'`);
  return found.rows[0];
}

/** The rule by which a certificate may connect: the one in use, or a renewed one. */
function isCertificateOf(
  former: FormerCertificate | undefined,
  current: CurrentInstance & { readonly deviceId: string },
): boolean {
  if (former === undefined || former.deviceId !== current.deviceId) return false;
  const { id, fingerprint, starts_at: at } = current;
  const startsAt = at === null ? null : new Date(at);
  const standing = standingOf(former, { instanceId: id, fingerprint, startsAt });
  return standing === 'in-use' || standing === 'renewed';
}

async function claimCovers(tx: Transaction, claimId: string, deviceId: string): Promise<boolean> {
  const found = await tx.execute(
    sql`select from claim_device where claim_id = ${claimId} and device_id = ${deviceId}`,
  );
  return found.rows.length > 0;
}
