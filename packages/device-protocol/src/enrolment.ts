/** POST `/enrol`: a claim token and a certificate request for a client certificate. */

import { z } from 'zod';
import { keyRingMessageSchema, publishedKeySchema } from './messages.ts';

/** PostgreSQL stores every character in text but this one. */
const NUL = '\0';

const text = (limits: { readonly min?: number; readonly max: number }) =>
  z
    .string()
    .min(limits.min ?? 0)
    .max(limits.max)
    .refine((value) => !value.includes(NUL), 'must not contain a null character');

/** Shows that the machine holds the key of the device's present certificate. */
const proofSchema = z.object({
  /** PEM of that certificate. */
  certificate: text({ max: 8_192 }),
  /** Base64 signature with its key over `proofText`: SHA-256, DER-encoded for EC keys. */
  signature: z.base64().max(1_024),
});

export const enrolmentRequestSchema = z.object({
  claimToken: text({ min: 1, max: 256 }),
  /** PEM (RFC 2986); its key is the device's own and never leaves it. */
  certificateRequest: text({ max: 8_192 }),
  serialNumber: text({ max: 64 }).nullable(),
  model: text({ max: 128 }).nullable(),
  hostName: text({ max: 255 }),
  platformType: z.enum(['Linux', 'Windows', 'MacOS']),
  platformName: text({ max: 128 }),
  platformVersion: text({ max: 128 }),
  architecture: text({ max: 32 }),
  agentVersion: text({ max: 64 }),
  /** Id of the key for updates that the portal showed: a server that does not have it enrolls nothing. */
  releaseKey: text({ min: 1, max: 64 }).optional(),
  /** From a machine that was enrolled before and still has its key. */
  proof: proofSchema.optional(),
});

export const enrolmentReplySchema = z.object({
  deviceId: z.uuid(),
  instanceId: z.string(),
  /** PEM, common name = device id. */
  certificate: z.string(),
  /** PEM of the authorities that sign the broker's certificate. */
  authorities: z.string(),
  /** `mqtts://host:port`. */
  brokerUrl: z.string(),
  /** The keys that sign runs; the agent takes no others from then on. Absent from servers that sign none. */
  runKeys: z.array(publishedKeySchema).max(64).optional(),
  /** The rings of keys that count, each signed; agents that are older than it read `runKeys`. */
  keyRings: z.array(keyRingMessageSchema).max(2).optional(),
});

/**
 * Why a machine is not (yet) the device whose serial number it has: it waits for a person, another machine waits, or a
 * person has rejected it.
 */
export const reEnrolmentReasons = [
  're-enrolment-waiting',
  're-enrolment-of-another',
  're-enrolment-rejected',
] as const;
export type ReEnrolmentReason = (typeof reEnrolmentReasons)[number];

/** The facts of a 403 that a person can change. */
export const reEnrolmentFactsSchema = z.object({
  reason: z.enum(reEnrolmentReasons),
  /** Serial number: `/devices/<serial number>` is the device's page. */
  device: z.string(),
  /** Of the machine's key, by `keyFingerprint`. */
  keyFingerprint: z.string(),
});
export type ReEnrolmentFacts = z.infer<typeof reEnrolmentFactsSchema>;

export type EnrolmentRequest = z.infer<typeof enrolmentRequestSchema>;
export type EnrolmentReply = z.infer<typeof enrolmentReplySchema>;

/** What the former key signs: good for this claim and this certificate request only. */
export function proofText(
  request: Pick<EnrolmentRequest, 'claimToken' | 'certificateRequest'>,
): string {
  return `deviceportal/re-enrolment/1\n${request.claimToken}\n${request.certificateRequest}`;
}
