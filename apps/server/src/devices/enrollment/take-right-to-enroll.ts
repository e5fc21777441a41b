import type { EnrollmentRequest } from '@deviceportal/device-protocol/enrollment';
import type { Transaction } from '../../platform/database/database.ts';
import { endClaimOfDevice } from '../claims/end-claim.ts';
import { returnUse, type SpentClaim } from '../data/enrollment/claim-queries.ts';
import type { EnrollingDevice } from '../data/enrollment/enrollment-queries.ts';
import { requestReEnrollment } from '../re-enrollment/request-re-enrollment.ts';
import { endReEnrollment, spendApproval } from '../re-enrollment/end-re-enrollment.ts';
import type { RefusedEnrollment } from './refused-enrollment.ts';
import { requireRightToEnroll, type FormerCertificate } from './require-right-to-enroll.ts';

/** Facts about the machine that are not in its request. */
export interface EnrollingMachine {
  /** IP address of the device. */
  readonly address: string;
  /** Fingerprint (`keyFingerprint`) of the key in the request. The machine has proven that it has the key. */
  readonly readKeyFingerprint: () => Promise<string>;
  /** The certificate of an earlier enrollment. The machine has proven that it has its key. */
  readonly former?: FormerCertificate | undefined;
}

/**
 * The right to become an existing device, with the approval that was spent for it; otherwise the response for a machine
 * that now requests an approval, or whose claim has ended for this device. A request does not spend a use of the claim.
 */
export async function takeRightToEnroll(
  tx: Transaction,
  asking: {
    readonly claim: SpentClaim;
    readonly device: EnrollingDevice;
    readonly request: EnrollmentRequest;
  },
  machine: EnrollingMachine,
): Promise<{ readonly reEnrollmentId: string | null } | RefusedEnrollment> {
  const { claim, device, request } = asking;
  const right = await requireRightToEnroll(tx, { claim, device }, machine.former);
  const { address } = machine;
  const ended = await endClaimOfDevice(tx, claim, { deviceId: device.id, address });
  if (ended !== null) return ended;
  if (right === 'held') {
    await endReEnrollment(tx, device.id);
    return { reEnrollmentId: null };
  }
  const keyFingerprint = await machine.readKeyFingerprint();
  const reEnrollmentId = await spendApproval(tx, device.id, keyFingerprint);
  if (reEnrollmentId !== null) return { reEnrollmentId };
  await returnUse(tx, claim.id);
  return requestReEnrollment(tx, device, { request, keyFingerprint, address, claimId: claim.id });
}
