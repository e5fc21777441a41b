import type { EnrollmentRequest } from '@deviceportal/device-protocol/enrollment';
import type { Transaction } from '../../platform/database/database.ts';
import { endClaimOfDevice } from '../claims/end-claim.ts';
import { giveUseBack, type SpentClaim } from '../data/enrollment/claim-queries.ts';
import type { EnrollingDevice } from '../data/enrollment/enrollment-queries.ts';
import { askToReEnroll } from '../re-enrollment/ask-to-re-enroll.ts';
import { endReEnrollment, takeApproval } from '../re-enrollment/end-re-enrollment.ts';
import type { RefusedEnrollment } from './refused-enrollment.ts';
import { requireRightToEnroll, type FormerCertificate } from './require-right-to-enroll.ts';

/** What is known of the machine apart from its request. */
export interface EnrollingMachine {
  /** Network address of the device. */
  readonly address: string;
  /** Of the key in the request, by `keyFingerprint`; the machine has shown to hold it. */
  readonly readKeyFingerprint: () => Promise<string>;
  /** The certificate of an earlier enrollment whose key the machine has shown to hold. */
  readonly former?: FormerCertificate | undefined;
}

/**
 * The right to become a device on record, with the approval that was used up for it; else the answer to a machine that
 * now asks for one, or whose claim has ended for this device. Asking costs no use of the claim.
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
  const reEnrollmentId = await takeApproval(tx, device.id, keyFingerprint);
  if (reEnrollmentId !== null) return { reEnrollmentId };
  await giveUseBack(tx, claim.id);
  return askToReEnroll(tx, device, { request, keyFingerprint, address, claimId: claim.id });
}
