/** Messages that are no journal entries: connection state, self-check, commands and certificates. */

import { z } from 'zod';

const timestamp = z.iso.datetime({ offset: true }).max(40);
const instanceId = z.string().max(64);

/**
 * `up/status`: the birth message of a connection (`online`), its orderly end, or its will (`offline`).
 * The connection id keeps the late will of an old connection from ending a new one.
 */
export const statusMessageSchema = z.object({
  state: z.enum(['online', 'offline']),
  connectionId: z.uuid(),
  instanceId,
  agentVersion: z.string().max(64),
  /** Why it went offline: `shutdown` said by the agent, `connection-lost` said by its will. */
  reason: z.enum(['shutdown', 'connection-lost', 'upgrade']).nullable(),
  /**
   * Ids of the keys whose signatures count for this agent; empty before it has learned one. Absent from agents that
   * check no signatures.
   */
  runKeys: z.array(z.string().max(128)).max(64).optional(),
  /** The same of the keys that sign updates of the agent. Absent from agents that check no updates. */
  releaseKeys: z.array(z.string().max(128)).max(64).optional(),
});

export const selfCheckParts = [
  'disk',
  'memory',
  'clock',
  'network',
  'service',
  'certificate',
] as const;
export type SelfCheckPart = (typeof selfCheckParts)[number];

/** `up/heartbeat`, every 60 s, QoS 0: what the device thinks of itself. */
export const heartbeatMessageSchema = z.object({
  instanceId,
  at: timestamp,
  /** Parts that fail, each with a short fact: `{ part: 'disk', fact: '97 % used' }`. */
  failing: z.array(z.object({ part: z.enum(selfCheckParts), fact: z.string().max(200) })).max(10),
  diskUsedPercent: z.number().min(0).max(100).nullable(),
  memoryUsedPercent: z.number().min(0).max(100).nullable(),
  uptimeSeconds: z.number().nonnegative(),
});

/** How many steps at the beginning and at the end of a content look before and after it. */
const phaseCounts = z.object({
  preCheck: z.int().nonnegative(),
  verify: z.int().nonnegative(),
});

/** A statement and its signatures; `packages/command-signing` says what is signed and how. */
const signedStatementSchema = z.object({
  payload: z.string().max(65_536),
  signatures: z
    .array(z.object({ keyId: z.string().max(128), signature: z.base64url().max(2_048) }))
    .min(1)
    .max(8),
});

/** What lets a device see that a command is what was authorized, for this device. */
const commandAuthorizationSchema = z.object({
  /** The same for every device of the run. */
  statement: signedStatementSchema,
  /** Part of the digest of the parameters. */
  blinding: z.string().max(128),
  /** This device among the targets: its position, and its path in their Merkle tree. */
  target: z.object({ index: z.int().nonnegative(), path: z.base64url().max(2_048) }),
});

/** `down/command`: one invocation. The agent keeps the ids it has seen and never runs one twice. */
export const commandMessageSchema = z.object({
  invocationId: z.uuid(),
  runId: z.uuid(),
  attempt: z.int().positive(),
  documentName: z.string(),
  documentVersion: z.int().positive(),
  /** The SSM document, schema 2.2, as JSON. */
  content: z.record(z.string(), z.unknown()),
  parameters: z.record(z.string(), z.unknown()),
  /** What the content runs by `aws:runDocument`, by the reference of the step. */
  documents: z
    .record(
      z.string(),
      z.object({
        name: z.string(),
        version: z.int().positive(),
        content: z.record(z.string(), z.unknown()),
        phases: phaseCounts,
      }),
    )
    .default({}),
  /** Values of the parameter store, by the references that stand in the content. */
  storeValues: z.record(z.string(), z.string()).default({}),
  /** How many of the content's first and last steps look before and after it, instead of doing it. */
  phases: phaseCounts.default({ preCheck: 0, verify: 0 }),
  /** Takes back what an earlier invocation on this device did. */
  isUndo: z.boolean().default(false),
  /** Under which invocation the device keeps what an undo needs; null where the document has none. */
  undoNotesOf: z.uuid().nullable().default(null),
  /**
   * Who changes the device with it: it begins once changes of others that came before it have ended there. Null where
   * it only reads, and is never held up.
   */
  holder: z.string().max(128).nullable().default(null),
  executionTimeoutSeconds: z.int().positive(),
  /** Not begun by then: do not begin. */
  deliverBefore: timestamp,
  /** Where files that the document collects go: PUT `{artefactUploadUrl}&name={file}`. */
  artefactUploadUrl: z.string().nullable(),
  /** Files of versions that the document installs without naming a source; links for this device alone. */
  software: z
    .array(
      z.object({
        component: z.string(),
        version: z.string(),
        /** Relative to the server, or absolute. */
        url: z.string(),
        sha256: z.string(),
        bytes: z.int().nonnegative(),
      }),
    )
    .optional(),
  /** Absent from runs that were requested before the portal signed them. */
  authorization: commandAuthorizationSchema.optional(),
});

/** `down/cancel`. */
export const cancelMessageSchema = z.object({ invocationId: z.uuid() });

/** `up/renew`: a certificate request for the same device, PEM (RFC 2986). */
export const renewMessageSchema = z.object({
  instanceId,
  certificateRequest: z.string().max(8_192),
});

/** `down/certificate`: the answer, PEM. */
export const certificateMessageSchema = z.object({
  certificate: z.string(),
  authorities: z.string(),
});

/**
 * `down/authorities`: PEM of the authorities whose certificates count, the one that signs first. A device whose own
 * certificate another one has issued asks for a new one within the time.
 */
export const authoritiesMessageSchema = z.object({
  authorities: z.string(),
  renewWithinSeconds: z.int().nonnegative(),
});

/** A public key and who vouches for it; `packages/command-signing` says how. */
export const publishedKeySchema = z.object({
  /** SPKI in DER (RFC 8410), base64. */
  publicKey: z.base64().max(512),
  /** By the key before it in the same ring; null for the first. */
  endorsement: z.object({ by: z.string().max(128), signature: z.base64().max(512) }).nullable(),
});

/** `runs` signs what devices execute, `releases` the agent's own updates. */
export const deviceKeyRings = ['runs', 'releases'] as const;

/**
 * `down/run-keys`: the keys of a ring, the newest first, and which of them count; the answer to a birth message that
 * names others. Without a statement (from older servers) keys are only added.
 */
export const keyRingMessageSchema = z.object({
  ring: z.enum(deviceKeyRings).default('runs'),
  keys: z.array(publishedKeySchema).min(1).max(64),
  statement: signedStatementSchema.optional(),
});

export type SignedStatement = z.infer<typeof signedStatementSchema>;
export type PublishedKey = z.infer<typeof publishedKeySchema>;
export type KeyRingMessage = z.infer<typeof keyRingMessageSchema>;
export type AuthoritiesMessage = z.infer<typeof authoritiesMessageSchema>;
export type StatusMessage = z.infer<typeof statusMessageSchema>;
export type HeartbeatMessage = z.infer<typeof heartbeatMessageSchema>;
export type OfferedSoftware = NonNullable<CommandMessage['software']>[number];
export type CommandMessage = z.infer<typeof commandMessageSchema>;
export type CancelMessage = z.infer<typeof cancelMessageSchema>;
export type RenewMessage = z.infer<typeof renewMessageSchema>;
export type CertificateMessage = z.infer<typeof certificateMessageSchema>;
