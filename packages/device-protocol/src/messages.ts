/**
 * Messages other than journal entries: connection status, self-check, commands, and certificates.
 */

import { z } from 'zod';
import { BROKERS_LIMIT, HEARTBEAT_SECONDS_RANGE } from '@deviceportal/contract/device-limits';
import {
  METRIC_SECONDS_RANGE,
  METRIC_SEND_SECONDS_RANGE,
} from '@deviceportal/contract/device-metrics';
import { fileOfferSchema } from './files/file-offer.ts';
import { terminalOfferSchema } from './terminal/terminal-offer.ts';
import { webPagesOfferSchema } from './web-pages/web-page-offer.ts';

const timestamp = z.iso.datetime({ offset: true }).max(40);
const instanceId = z.string().max(64);
const heartbeatSeconds = z.int().min(HEARTBEAT_SECONDS_RANGE.min).max(HEARTBEAT_SECONDS_RANGE.max);

/**
 * `up/status`: birth message of a connection (`online`), its orderly end, or its will (`offline`).
 * The connection ID prevents the late will of an old connection from ending a new one.
 */
export const statusMessageSchema = z.object({
  state: z.enum(['online', 'offline']),
  connectionId: z.uuid(),
  instanceId,
  agentVersion: z.string().max(64),
  /**
   * Why the device went offline. `shutdown` is sent by the agent, `connection-lost` is its will.
   */
  reason: z.enum(['shutdown', 'connection-lost', 'upgrade']).nullable(),
  /**
   * IDs of the run keys that this agent trusts; empty before it received one. Absent from agents
   * that check no signatures.
   */
  runKeys: z.array(z.string().max(128)).max(64).optional(),
  /** IDs of the trusted keys for agent updates. Absent from agents that check no updates. */
  releaseKeys: z.array(z.string().max(128)).max(64).optional(),
  /** See `protocol-version.ts`. Absent from agents before version 4. */
  protocol: z.int().positive().max(10_000).optional(),
  /** Whether the device offers terminals. Absent from agents that have none. */
  terminal: terminalOfferSchema.optional(),
  /** Whether the device offers its files. Absent from agents that have none. */
  files: fileOfferSchema.optional(),
  /** Whether the device can ask a person for consent to a terminal. */
  terminalConsent: z.boolean().optional(),
  /** The web pages of the device that can be opened. Absent from agents that have none. */
  webPages: webPagesOfferSchema.optional(),
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

/**
 * `up/heartbeat`, QoS 0: results of the device's self-check. Sent every `heartbeatSeconds` of the
 * connection settings, and every 60 s by agents without any. With `selfCheckSeconds`, changed results
 * are sent earlier.
 */
export const heartbeatMessageSchema = z.object({
  instanceId,
  at: timestamp,
  /** Time until the next heartbeat; absent from agents that send one every 60 s. */
  everySeconds: heartbeatSeconds.optional(),
  /**
   * Revision of the connection settings that this agent has; empty before it received any. Absent
   * from agents that do not support them.
   */
  connectionRevision: z.string().max(64).optional(),
  /** Failing parts, each with a short fact: `{ part: 'disk', fact: '97 % used' }`. */
  failing: z.array(z.object({ part: z.enum(selfCheckParts), fact: z.string().max(200) })).max(10),
  diskUsedPercent: z.number().min(0).max(100).nullable(),
  memoryUsedPercent: z.number().min(0).max(100).nullable(),
  uptimeSeconds: z.number().nonnegative(),
});

/** Numbers of pre-check and verification steps at the start and end of the content. */
const phaseCounts = z.object({
  preCheck: z.int().nonnegative(),
  verify: z.int().nonnegative(),
});

/** A statement and its signatures; see `packages/command-signing`. */
export const signedStatementSchema = z.object({
  payload: z.string().max(65_536),
  signatures: z
    .array(z.object({ keyId: z.string().max(128), signature: z.base64url().max(2_048) }))
    .min(1)
    .max(8),
});

/** Lets a device verify that a command was authorized for it. */
const commandAuthorizationSchema = z.object({
  /** The same for all devices of the run. */
  statement: signedStatementSchema,
  /** Random text that is part of the digest of the parameters. */
  blinding: z.string().max(128),
  /** Position of this device among the targets, and its path in their Merkle tree. */
  target: z.object({ index: z.int().nonnegative(), path: z.base64url().max(2_048) }),
});

/**
 * `down/command`: one invocation. The agent stores the IDs of received invocations and never runs
 * one twice.
 */
export const commandMessageSchema = z.object({
  invocationId: z.uuid(),
  runId: z.uuid(),
  attempt: z.int().positive(),
  documentName: z.string(),
  documentVersion: z.int().positive(),
  /** The SSM document, schema 2.2, as JSON. */
  content: z.record(z.string(), z.unknown()),
  parameters: z.record(z.string(), z.unknown()),
  /** The documents that the content runs by `aws:runDocument`, by the reference of the step. */
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
  /** Values of the parameter store, by their references in the content. */
  storeValues: z.record(z.string(), z.string()).default({}),
  /** Numbers of pre-check steps at the start and verification steps at the end of the content. */
  phases: phaseCounts.default({ preCheck: 0, verify: 0 }),
  /** Whether it undoes an earlier invocation on this device. */
  isUndo: z.boolean().default(false),
  /**
   * The invocation under which the device stores the data for an undo; null if the document has no
   * undo steps.
   */
  undoNotesOf: z.uuid().nullable().default(null),
  /**
   * The user who holds the change lock. The command starts after earlier changes by other users
   * have finished. Null for read-only commands, which are never blocked.
   */
  holder: z.string().max(128).nullable().default(null),
  executionTimeoutSeconds: z.int().positive(),
  /** The command must not start after this time. */
  deliverBefore: timestamp,
  /** Upload URL for collected files: PUT `{artefactUploadUrl}&name={file}`. */
  artefactUploadUrl: z.string().nullable(),
  /**
   * Files of versions that the document installs without a source. The links are valid only for
   * this device.
   */
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
  /** Absent from runs that were requested before the portal signed runs. */
  authorization: commandAuthorizationSchema.optional(),
});

/** `down/cancel`. */
export const cancelMessageSchema = z.object({ invocationId: z.uuid() });

/** `up/renew`: a certificate request for the same device, PEM (RFC 2986). */
export const renewMessageSchema = z.object({
  instanceId,
  certificateRequest: z.string().max(8_192),
});

/** `down/certificate`: the response, PEM. */
export const certificateMessageSchema = z.object({
  certificate: z.string(),
  authorities: z.string(),
});

/**
 * `down/authorities`: PEM of the trusted certificate authorities, the issuing one first. A device
 * whose certificate was issued by another authority requests a new one within this time.
 */
export const authoritiesMessageSchema = z.object({
  authorities: z.string(),
  renewWithinSeconds: z.int().nonnegative(),
});

/**
 * `down/connection`: how a device connects. Also part of the enrollment reply. Sent when a
 * heartbeat names another revision.
 */
export const connectionMessageSchema = z.object({
  /** Changes with the settings. */
  revision: z.string().min(1).max(64),
  /** `mqtts://host:port`. A device uses one of them, and another one when that fails. */
  brokerUrls: z
    .array(z.url({ protocol: /^mqtts?$/ }).max(512))
    .min(1)
    .max(BROKERS_LIMIT),
  /** QoS of the device's subscription. Some brokers offer only 0. */
  subscriptionQos: z.union([z.literal(0), z.literal(1)]),
  heartbeatSeconds,
  /**
   * How often a device checks itself. A changed result is reported immediately, and not only after
   * `heartbeatSeconds`. Absent if every check is reported.
   */
  selfCheckSeconds: heartbeatSeconds.optional(),
  /** PEM of authorities of the brokers' certificates, in addition to those of the enrollment. */
  brokerAuthorities: z.string().max(65_536).optional(),
  /**
   * How often a device measures, and how often it sends what it measured. Absent if metrics are
   * switched off, and from servers that do not accept any.
   */
  metrics: z
    .object({
      sampleSeconds: z.int().min(METRIC_SECONDS_RANGE.min).max(METRIC_SECONDS_RANGE.max),
      sendSeconds: z.int().min(METRIC_SEND_SECONDS_RANGE.min).max(METRIC_SEND_SECONDS_RANGE.max),
    })
    .optional(),
});

/** A public key and its endorsement; see `packages/command-signing`. */
export const publishedKeySchema = z.object({
  /** SPKI in DER (RFC 8410), base64. */
  publicKey: z.base64().max(512),
  /** Signature by the previous key of the same ring; null for the first key. */
  endorsement: z.object({ by: z.string().max(128), signature: z.base64().max(512) }).nullable(),
});

/** `runs` keys sign commands, `releases` keys sign agent updates. */
export const deviceKeyRings = ['runs', 'releases'] as const;

/**
 * `down/run-keys`: the keys of a ring, newest first, and which of them are trusted. Sent when a
 * birth message names other keys. Without a statement (from older servers), keys are only added.
 */
export const keyRingMessageSchema = z.object({
  ring: z.enum(deviceKeyRings).default('runs'),
  keys: z.array(publishedKeySchema).min(1).max(64),
  statement: signedStatementSchema.optional(),
});

export type SignedStatement = z.infer<typeof signedStatementSchema>;
export type PublishedKey = z.infer<typeof publishedKeySchema>;
export type ConnectionMessage = z.infer<typeof connectionMessageSchema>;
export type KeyRingMessage = z.infer<typeof keyRingMessageSchema>;
export type AuthoritiesMessage = z.infer<typeof authoritiesMessageSchema>;
export type StatusMessage = z.infer<typeof statusMessageSchema>;
export type HeartbeatMessage = z.infer<typeof heartbeatMessageSchema>;
export type OfferedSoftware = NonNullable<CommandMessage['software']>[number];
export type CommandMessage = z.infer<typeof commandMessageSchema>;
export type CancelMessage = z.infer<typeof cancelMessageSchema>;
export type RenewMessage = z.infer<typeof renewMessageSchema>;
export type CertificateMessage = z.infer<typeof certificateMessageSchema>;
