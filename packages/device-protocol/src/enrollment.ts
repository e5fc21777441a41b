/** POST `/enrol`: a claim token and a certificate request for a client certificate. */

import { z } from 'zod';
import { connectionMessageSchema, keyRingMessageSchema, publishedKeySchema } from './messages.ts';

/** The only character that PostgreSQL cannot store in text. */
const NUL = '\0';

const text = (limits: { readonly min?: number; readonly max: number }) =>
  z
    .string()
    .min(limits.min ?? 0)
    .max(limits.max)
    .refine((value) => !value.includes(NUL), 'must not contain a null character');

/** Proof that the machine has the private key of the device's current certificate. */
const proofSchema = z.object({
  /** The certificate as PEM. */
  certificate: text({ max: 8_192 }),
  /** Base64 signature over `proofText`: SHA-256, DER-encoded for EC keys. */
  signature: z.base64().max(1_024),
});

export const enrollmentRequestSchema = z.object({
  claimToken: text({ min: 1, max: 256 }),
  /** PEM (RFC 2986). The private key never leaves the device. */
  certificateRequest: text({ max: 8_192 }),
  serialNumber: text({ max: 64 }).nullable(),
  model: text({ max: 128 }).nullable(),
  hostName: text({ max: 255 }),
  platformType: z.enum(['Linux', 'Windows', 'MacOS']),
  platformName: text({ max: 128 }),
  platformVersion: text({ max: 128 }),
  architecture: text({ max: 32 }),
  agentVersion: text({ max: 64 }),
  /**
   * ID of the update key that the portal showed. A server without this key rejects the enrollment.
   */
  releaseKey: text({ min: 1, max: 64 }).optional(),
  /** From a machine that was enrolled before and still has its key. */
  proof: proofSchema.optional(),
});

export const enrollmentReplySchema = z.object({
  deviceId: z.uuid(),
  instanceId: z.string(),
  /** PEM; the common name is the device ID. */
  certificate: z.string(),
  /** PEM of the certificate authorities of the broker's certificate. */
  authorities: z.string(),
  /** `mqtts://host:port`; one of several brokers, for agents that know only one. */
  brokerUrl: z.string(),
  /** Absent from servers that tell devices only the broker. */
  connection: connectionMessageSchema.optional(),
  /**
   * The keys that sign runs. From then on, the agent trusts only these. Absent from servers that do
   * not sign.
   */
  runKeys: z.array(publishedKeySchema).max(64).optional(),
  /** The trusted key rings, each signed. Agents without support for them read `runKeys`. */
  keyRings: z.array(keyRingMessageSchema).max(2).optional(),
});

/**
 * Why a machine is not, or not yet, the device with its serial number: the request is pending,
 * another machine's request is pending, or a user rejected it.
 */
export const reEnrollmentReasons = [
  're-enrolment-waiting',
  're-enrolment-of-another',
  're-enrolment-rejected',
] as const;
export type ReEnrollmentReason = (typeof reEnrollmentReasons)[number];

/** Facts of a 403 that a user can resolve. */
export const reEnrollmentFactsSchema = z.object({
  reason: z.enum(reEnrollmentReasons),
  /** Serial number. `/devices/<serial number>` is the device's page. */
  device: z.string(),
  /** Fingerprint of the machine's key, by `keyFingerprint`. */
  keyFingerprint: z.string(),
});
export type ReEnrollmentFacts = z.infer<typeof reEnrollmentFactsSchema>;

export type EnrollmentRequest = z.infer<typeof enrollmentRequestSchema>;
export type EnrollmentReply = z.infer<typeof enrollmentReplySchema>;

/** The text that the previous key signs, valid only for this claim and certificate request. */
export function proofText(
  request: Pick<EnrollmentRequest, 'claimToken' | 'certificateRequest'>,
): string {
  return `deviceportal/re-enrolment/1\n${request.claimToken}\n${request.certificateRequest}`;
}
