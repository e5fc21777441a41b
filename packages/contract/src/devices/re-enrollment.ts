import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/**
 * Re-enrollment: a machine that lost its device key requests to become a registered device again.
 */

/** How long a request waits for a decision. */
export const RE_ENROLLMENT_REQUEST_HOURS = 24;
/** How long after its approval the machine can enroll. */
export const RE_ENROLLMENT_APPROVAL_MINUTES = 60;

export const machineFactNames = [
  'hostName',
  'model',
  'platform',
  'architecture',
  'agentVersion',
  'address',
] as const;
export type MachineFactName = (typeof machineFactNames)[number];
export type MachineFacts = Readonly<Record<MachineFactName, string | null>>;

export interface ReEnrollmentRequest {
  readonly id: string;
  /** As the machine's agent prints it. */
  readonly keyFingerprint: string;
  readonly askedAt: Timestamp;
  /** When it expires without a decision, or without an enrollment after its approval. */
  readonly expiresAt: Timestamp;
  /** What the machine reports about itself, and its source address. */
  readonly machine: MachineFacts;
  /** The same for the device's current instance. */
  readonly device: MachineFacts;
  /** Null while it is pending. */
  readonly approvedBy: string | null;
}

export const reEnrollmentOfDeviceInput = z.object({ deviceId: idSchema });
/** A request is bound to one key. The decision applies only to that machine. */
export const decideReEnrollmentInput = z.object({ id: idSchema });
