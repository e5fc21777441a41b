import { refuse } from '@deviceportal/contract/refuse';
import { reaches } from '@deviceportal/contract/permissions';
import type { Transaction } from '../../platform/database/database.ts';
import { isClaimOfLocalAgent } from '../claims/claim-for-local-agent.ts';
import { claimCovers, type SpentClaim } from '../data/enrollment/claim-queries.ts';
import type { EnrollingDevice } from '../data/enrollment/enrollment-queries.ts';
import { findCurrentInstance } from '../data/instance-queries.ts';
import {
  standingOf,
  type CertificateInUse,
  type DeviceCertificate,
} from './standing-of-certificate.ts';

/** A certificate issued by this installation whose key the machine has, with its subject. */
export interface FormerCertificate extends DeviceCertificate {
  /** Common name. */
  readonly deviceId: string | null;
}

type EnrollingClaim = Pick<
  SpentClaim,
  'id' | 'deviceId' | 'onlyRecorded' | 'model' | 'country' | 'labels'
>;

type ExistingDevice = Pick<EnrollingDevice, 'id' | 'model' | 'country' | 'labels' | 'lifecycle'>;

/** `by-approval`: only after a user has approved the machine's key. */
export type RightToEnroll = 'held' | 'by-approval';

/**
 * Whether the machine can become this existing device. Serial numbers are not secret, so they are not sufficient to
 * replace the instance of a device: that requires a claim for this device only, the key of its current instance, or an
 * approval.
 *
 * @param former the certificate whose key the machine has
 * @throws PortalError noPermission
 */
export async function requireRightToEnroll(
  tx: Transaction,
  { claim, device }: { readonly claim: EnrollingClaim; readonly device: ExistingDevice },
  former: FormerCertificate | undefined,
): Promise<RightToEnroll> {
  if (claim.deviceId !== null && claim.deviceId !== device.id) {
    throw refuse('claim-of-other-device');
  }
  if (claim.onlyRecorded && !(await claimCovers(tx, claim.id, device.id))) {
    throw refuse('claim-not-covering');
  }
  if (device.lifecycle === 'retired') throw refuse('enrolling-device-retired');
  if (device.lifecycle === 'suspended') {
    throw refuse('enrolling-device-suspended');
  }
  if (claim.deviceId !== null) return 'held';
  const current = await findCurrentInstance(tx, device.id);
  if (current !== undefined && isCertificateOf(former, { ...current, deviceId: device.id }))
    return 'held';
  await requireKindOfClaim(tx, claim, device);
  return current === undefined && device.lifecycle === 'pending' ? 'held' : 'by-approval';
}

/**
 * A claim for any device enrolls an existing one only if that has the country, model, and labels of the claim, because
 * the permission of the claim's creator can be limited to those.
 */
async function requireKindOfClaim(
  tx: Transaction,
  claim: EnrollingClaim,
  device: ExistingDevice,
): Promise<void> {
  const kind = {
    countries: claim.country === null ? [] : [claim.country],
    models: claim.model === null ? [] : [claim.model],
    labels: claim.labels,
  };
  if (claim.onlyRecorded || reaches([kind], device)) return;
  if (await isClaimOfLocalAgent(tx, claim.id)) return;
  throw refuse('claim-not-covering-device');
}

/** Whether the certificate could connect: it is in use or renewed. */
function isCertificateOf(
  former: FormerCertificate | undefined,
  { deviceId, ...inUse }: CertificateInUse & { readonly deviceId: string },
): boolean {
  if (former === undefined || former.deviceId !== deviceId) return false;
  const standing = standingOf(former, inUse);
  return standing === 'in-use' || standing === 'renewed';
}
