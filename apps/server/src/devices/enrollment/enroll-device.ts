import type { EnrollmentRequest } from '@deviceportal/device-protocol/enrollment';
import { newInstanceId } from '@deviceportal/contract/ids';
import { recordAudit } from '../../audit-trail/record-audit.ts';
import { terminateInvocations } from '../../commands/execution/terminate-invocations.ts';
import { applyAddressCountries } from '../../locations/by-address/apply-address-countries.ts';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { endClaimWithoutRight } from '../claims/end-claim.ts';
import { setClaimedDevice, type SpentClaim } from '../data/enrollment/claim-queries.ts';
import { activatePending, type EnrollingDevice } from '../data/enrollment/enrollment-queries.ts';
import {
  endCurrentInstance,
  insertInstance,
  updateRunningInstance,
} from '../data/instance-queries.ts';
import { refreshDeviceCopies } from '../data/refresh-device-copies.ts';
import { sanitizeReportedText } from '../list/sanitize-reported-text.ts';
import { findOrCreateDevice } from './find-or-create-device.ts';
import type { RefusedEnrollment } from './refused-enrollment.ts';
import { spendClaim } from './spend-claim.ts';
import { takeRightToEnroll, type EnrollingMachine } from './take-right-to-enroll.ts';

export interface CertificateFacts {
  /** SHA-256 of the certificate, hexadecimal. */
  readonly fingerprint: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface EnrollDeviceOptions<
  Certificate extends CertificateFacts,
> extends EnrollingMachine {
  /** Signs the device's certificate request. The result is returned to the caller. */
  readonly issueCertificate: (deviceId: string, tx: Transaction) => Promise<Certificate>;
  /** Country of the machine's address, ISO 3166-1 alpha-2; null if unknown. */
  readonly country?: string | null;
}

export interface Enrollment<Certificate extends CertificateFacts> {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly certificate: Certificate;
  readonly created: boolean;
  /** Whether the device had an instance, which is now superseded. */
  readonly reEnrolled: boolean;
}

interface EnrollDeviceDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
}

const WORDS = [
  ...(['model', 'hostName', 'platformName', 'platformVersion'] as const),
  ...(['architecture', 'agentVersion'] as const),
] as const;

/**
 * Exchanges a use of a claim for an instance. The use is spent once, and only if everything else succeeds: the claim's
 * row is locked until the end.
 *
 * @throws PortalError noPermission if the token is unknown, used up, or expired, or the claim is not for this device;
 * with the facts of a re-enrollment if a user must approve it first
 */
export async function enrollDevice<Certificate extends CertificateFacts>(
  deps: EnrollDeviceDeps,
  asked: EnrollmentRequest,
  options: EnrollDeviceOptions<Certificate>,
): Promise<Enrollment<Certificate>> {
  const request = sanitizeReportedText(asked, WORDS);
  const outcome = await inTransaction(deps.database, (tx) =>
    enroll(tx, { request, now: deps.clock() }, options),
  );
  if ('refusal' in outcome) {
    deps.changes.publish([...outcome.changes]);
    throw outcome.refusal;
  }
  await publishEnrollment(deps, outcome);
  return outcome;
}

async function enroll<Certificate extends CertificateFacts>(
  tx: Transaction,
  asked: { readonly request: EnrollmentRequest; readonly now: Date },
  options: EnrollDeviceOptions<Certificate>,
): Promise<Enrollment<Certificate> | RefusedEnrollment> {
  const { request, now } = asked;
  const { address, country } = options;
  const claim = await spendClaim(tx, request.claimToken, now);
  const ended = await endClaimWithoutRight(tx, claim, address);
  if (ended !== null) return ended;
  const { device, created } = await findOrCreateDevice(tx, claim, request);
  const right = created ? null : await takeRightToEnroll(tx, { claim, device, request }, options);
  if (right !== null && 'refusal' in right) return right;
  const certificate = await options.issueCertificate(device.id, tx);
  const instance = await replaceInstance(tx, device.id, { ...asked, certificate, address });
  await activatePending(tx, device.id, now);
  if (claim.uses === 1) await setClaimedDevice(tx, claim.id, device.id);
  await refreshDeviceCopies(tx, [device.id]);
  await updateRunningInstance(tx, device.id, {
    instanceId: instance.instanceId,
    agentVersion: request.agentVersion,
    platform: request.platformType,
  });
  if (country) await applyAddressCountries(tx, [{ deviceId: device.id, country, at: now }]);
  const reEnrollmentId = right?.reEnrollmentId ?? null;
  await recordEnrollment(tx, { ...instance, claim, device, created, reEnrollmentId, address, now });
  return {
    deviceId: device.id,
    instanceId: instance.instanceId,
    certificate,
    created,
    reEnrolled: instance.superseded !== null,
  };
}

interface WrittenInstance {
  readonly instanceId: string;
  /** The previous instance. */
  readonly superseded: string | null;
}

async function replaceInstance(
  tx: Transaction,
  deviceId: string,
  facts: {
    readonly request: EnrollmentRequest;
    readonly certificate: CertificateFacts;
    readonly address: string;
    readonly now: Date;
  },
): Promise<WrittenInstance> {
  const { platformType, platformName, platformVersion, architecture, agentVersion, hostName } =
    facts.request;
  const superseded = await endCurrentInstance(tx, deviceId, 'superseded');
  const instanceId = newInstanceId();
  await insertInstance(tx, {
    ...{ id: instanceId, deviceId, platformType, platformName, platformVersion },
    ...{ architecture, agentVersion, hostName, ipAddress: facts.address, enrolledAt: facts.now },
    certificateFingerprint: facts.certificate.fingerprint,
    certificateStartsAt: facts.certificate.startsAt,
    certificateEndsAt: facts.certificate.endsAt,
  });
  return { instanceId, superseded };
}

async function recordEnrollment(
  tx: Transaction,
  enrolled: WrittenInstance & {
    readonly claim: SpentClaim;
    readonly device: EnrollingDevice;
    readonly created: boolean;
    readonly reEnrollmentId: string | null;
    readonly address: string;
    readonly now: Date;
  },
): Promise<void> {
  const { claim, device, instanceId, superseded, reEnrollmentId, address, now } = enrolled;
  const event = {
    actor: { kind: 'device' as const, id: device.id, name: device.name, address },
    deviceId: device.id,
    at: now,
  };
  await recordAudit(tx, [
    ...(enrolled.created
      ? [{ ...event, type: 'device.created' as const, data: { claimId: claim.id } }]
      : []),
    {
      ...event,
      type: superseded === null ? 'device.enrolled' : 'device.re-enrolled',
      data: {
        ...{ claimId: claim.id, instanceId, supersededInstanceId: superseded },
        ...(reEnrollmentId !== null && { reEnrolmentId: reEnrollmentId }),
      },
    },
  ]);
}

async function publishEnrollment(
  { changes, database }: EnrollDeviceDeps,
  { deviceId, reEnrolled }: Enrollment<CertificateFacts>,
): Promise<void> {
  const deviceIds = [deviceId];
  changes.publish([
    // An agent that is still connected as the previous instance has a certificate that is no longer valid.
    ...(reEnrolled ? [{ kind: 'devices-blocked' as const, deviceIds }] : []),
    { kind: 'device-changed', deviceIds },
    { kind: 'audit-trail', deviceIds },
  ]);
  // The new instance does not know the commands that were sent to the previous one.
  if (reEnrolled) changes.publish(await terminateInvocations(database, deviceIds));
}
