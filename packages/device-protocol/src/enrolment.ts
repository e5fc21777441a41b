/** POST `/enrol`: a claim token and a certificate request for a client certificate. */

import { z } from 'zod';
import { publishedKeySchema } from './messages.ts';

export const enrolmentRequestSchema = z.object({
  claimToken: z.string().min(1).max(256),
  /** PEM (RFC 2986); its key is the device's own and never leaves it. */
  certificateRequest: z.string().max(8_192),
  serialNumber: z.string().max(64).nullable(),
  model: z.string().max(128).nullable(),
  hostName: z.string().max(255),
  platformType: z.enum(['Linux', 'Windows', 'MacOS']),
  platformName: z.string().max(128),
  platformVersion: z.string().max(128),
  architecture: z.string().max(32),
  agentVersion: z.string().max(64),
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
});

export type EnrolmentRequest = z.infer<typeof enrolmentRequestSchema>;
export type EnrolmentReply = z.infer<typeof enrolmentReplySchema>;
