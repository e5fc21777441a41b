import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** A machine asks to become a device on record again, because it has lost the device's key. */

/** Until then a request waits for a person. */
export const RE_ENROLMENT_REQUEST_HOURS = 24;
/** Until then the machine must have enrolled after its approval. */
export const RE_ENROLMENT_APPROVAL_MINUTES = 60;

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

export interface ReEnrolmentRequest {
  readonly id: string;
  /** As the machine's agent prints it. */
  readonly keyFingerprint: string;
  readonly askedAt: Timestamp;
  /** When it lapses: without a decision, or without the machine after its approval. */
  readonly expiresAt: Timestamp;
  /** What the machine says about itself, and where it was seen. */
  readonly machine: MachineFacts;
  /** The same of the device's current instance. */
  readonly device: MachineFacts;
  /** Null while it waits for a person. */
  readonly approvedBy: string | null;
}

export const reEnrolmentOfDeviceInput = z.object({ deviceId: idSchema });
/** A request is of one key: what is decided holds for that machine only. */
export const decideReEnrolmentInput = z.object({ id: idSchema });
