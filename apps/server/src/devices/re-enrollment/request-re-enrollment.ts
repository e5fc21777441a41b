import type {
  EnrollmentRequest,
  ReEnrollmentFacts,
} from '@deviceportal/device-protocol/enrollment';
import { PortalError } from '@deviceportal/contract/errors';
import type { MachineFacts } from '@deviceportal/contract/re-enrollment';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { RefusedEnrollment } from '../enrollment/refused-enrollment.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import {
  clearEndedRequests,
  findRequestOf,
  openRequests,
  upsertRequest,
  type LiveRequest,
} from '../data/enrollment/re-enrollment-queries.ts';
import { notifyManagers, type RequestedDevice } from './notify-managers.ts';

export interface RequestingMachine {
  /** With control characters removed. */
  readonly request: EnrollmentRequest;
  readonly keyFingerprint: string;
  readonly address: string;
  readonly claimId: string;
}

/**
 * Records the request of a machine without the device's key to become the device. The device's row is locked. The
 * device is not changed: a user decides.
 *
 * @throws PortalError 2004 `limitReached` if too many requests are open
 */
export async function requestReEnrollment(
  tx: Transaction,
  device: RequestedDevice,
  machine: RequestingMachine,
): Promise<RefusedEnrollment> {
  const open = await findRequestOf(tx, device.id);
  const { keyFingerprint } = machine;
  const isOver = open?.decision === 'rejected' && open.keyFingerprint !== keyFingerprint;
  if (open !== undefined && !isOver) {
    return { refusal: refusalOf(device, machine, standing(open, keyFingerprint)), changes: [] };
  }
  const facts = machineFacts(machine);
  await clearEndedRequests(tx);
  await requireRoom(tx, { limit: 'openReEnrollments', of: '', existing: openRequests() });
  const id = await upsertRequest(tx, { deviceId: device.id, keyFingerprint, machine: facts });
  await recordAudit(tx, [
    {
      type: 'device.re-enrolment-requested',
      actor: { ...systemActor, address: machine.address },
      deviceId: device.id,
      data: { reEnrolmentId: id, claimId: machine.claimId, keyFingerprint, ...facts },
    },
  ]);
  return {
    refusal: refusalOf(device, machine, 're-enrolment-waiting'),
    changes: [
      ...(await notifyManagers(tx, { id, device, machine: facts })),
      { kind: 'device-changed', deviceIds: [device.id] },
      { kind: 'audit-trail', deviceIds: [device.id] },
    ],
  };
}

function standing(open: LiveRequest, keyFingerprint: string): ReEnrollmentFacts['reason'] {
  if (open.keyFingerprint !== keyFingerprint) return 're-enrolment-of-another';
  return open.decision === 'rejected' ? 're-enrolment-rejected' : 're-enrolment-waiting';
}

/** As reported by the machine, unverified. */
function machineFacts({ request, address }: RequestingMachine): MachineFacts {
  const { agentVersion, architecture, hostName, model, platformName, platformVersion } = request;
  const platform = `${platformName} ${platformVersion}`;
  return { hostName, model, platform, architecture, agentVersion, address };
}

const messages: Readonly<Record<ReEnrollmentFacts['reason'], string>> = {
  're-enrolment-waiting': 'waiting for approval on its page in the portal',
  're-enrolment-of-another':
    'decide on the request of another machine on its page in the portal first',
  're-enrolment-rejected': 'the request to become it was rejected',
};

function refusalOf(
  { serialNumber }: RequestedDevice,
  { keyFingerprint }: RequestingMachine,
  reason: ReEnrollmentFacts['reason'],
): PortalError {
  const facts: ReEnrollmentFacts = { reason, device: serialNumber ?? '', keyFingerprint };
  return new PortalError('noPermission', {
    message:
      `a device with this serial number is already enrolled; ${messages[reason]}. Or choose Manage, Re-enroll device ` +
      'there, and use the claim that is created',
    facts: { ...facts },
  });
}
