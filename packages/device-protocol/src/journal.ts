/**
 * The journal: everything that a device reports and that must not be lost. The device numbers its
 * entries, stores them on disk, and sends them in order until it receives the server's
 * acknowledgment `{ upTo }`, which is published after the database commit. Duplicate entries are
 * ignored, identified by (instance, epoch, seq).
 */

import { z } from 'zod';
import {
  INVENTORY_DETAILS_LIMIT_CHARACTERS,
  JOURNAL_DATA_LIMIT_CHARACTERS,
  JOURNAL_DATA_LIMIT_DEPTH,
} from '@deviceportal/contract/device-limits';
import { MAX_STEPS } from '@deviceportal/contract/document-phases';
import { stepState } from '@deviceportal/contract/states';
import { jsonSize } from './json-size.ts';

/** Any number of fractional digits is allowed (RFC 3339, section 5.6). */
const timestamp = z.iso.datetime({ offset: true }).max(40);

const jsonObject = (limitCharacters: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => jsonSize(value, JOURNAL_DATA_LIMIT_DEPTH) <= limitCharacters,
      `is larger than ${limitCharacters} characters, or nested deeper than ${JOURNAL_DATA_LIMIT_DEPTH} levels`,
    );

const entryBase = { seq: z.int().positive(), at: timestamp };

/** An event on the device: `agent-started`, `service-crashed`, `clock-stepped`, … */
export const deviceEventSchema = z.object({
  ...entryBase,
  kind: z.literal('event'),
  type: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/),
  data: jsonObject(JOURNAL_DATA_LIMIT_CHARACTERS),
});

/** Description of the machine, sent at start and when it changes. */
export const inventorySchema = z.object({
  ...entryBase,
  kind: z.literal('inventory'),
  platformType: z.enum(['Linux', 'Windows', 'MacOS']),
  platformName: z.string().max(128),
  platformVersion: z.string().max(128),
  architecture: z.string().max(32),
  agentVersion: z.string().max(64),
  hostName: z.string().max(255),
  ipAddress: z.string().max(64).nullable(),
  serialNumber: z.string().max(64).nullable(),
  model: z.string().max(128).nullable(),
  hardwareRevision: z.string().max(64).nullable(),
  timeZone: z.string().max(64).nullable(),
  /** Memory, processor, disks, network interfaces; displayed unchanged. */
  details: jsonObject(INVENTORY_DETAILS_LIMIT_CHARACTERS),
});

/**
 * All components that the company releases and approves, with their versions. Always the complete
 * list.
 */
export const softwareSchema = z.object({
  ...entryBase,
  kind: z.literal('software'),
  components: z
    .array(z.object({ component: z.string().max(128), version: z.string().max(64) }))
    .max(2_000),
});

/**
 * A part of the list of installed packages, named as by the machine's package manager. The list is
 * sorted by name and split where a message would be too large. A part is complete for the names
 * after `after` up to `upTo` (null: no end), so that parts can be processed independently,
 * repeatedly, and in any order.
 */
export const packagesSchema = z.object({
  ...entryBase,
  kind: z.literal('packages'),
  /** The same ID for all parts of a list. */
  report: z.uuid(),
  after: z.string().max(128).nullable(),
  upTo: z.string().max(128).nullable(),
  packages: z
    .array(
      z.object({
        // No colon, because filters use it to separate name and version.
        name: z.string().regex(/^[!-9;-~]{1,128}$/),
        version: z.string().regex(/^[!-~]{1,128}$/),
      }),
    )
    .max(2_000),
});

export const positionSchema = z.object({
  ...entryBase,
  kind: z.literal('position'),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracyMeters: z.number().nonnegative().max(1e9),
  source: z.enum(['gps', 'network', 'ip', 'manual']),
});

/** The device has received and started a command. */
export const startedSchema = z.object({
  ...entryBase,
  kind: z.literal('invocation-started'),
  invocationId: z.uuid(),
});

/** A part of the output. `offset` is the number of UTF-16 code units of this stream before it. */
export const outputSchema = z.object({
  ...entryBase,
  kind: z.literal('invocation-output'),
  invocationId: z.uuid(),
  stream: z.enum(['stdout', 'stderr']),
  offset: z.int().nonnegative(),
  text: z.string().max(65_536),
});

const stepStates = Object.keys(stepState) as [keyof typeof stepState];

export const stepSchema = z.object({
  ...entryBase,
  kind: z.literal('invocation-step'),
  invocationId: z.uuid(),
  /** Position of the step in the document, from 0. */
  index: z
    .int()
    .nonnegative()
    .max(MAX_STEPS - 1),
  name: z.string().max(128),
  action: z.string().max(128),
  state: z.enum(stepStates),
  exitCode: z.int().nullable(),
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  /** Why the step was skipped or failed, if its output does not contain the reason. */
  reason: z.string().max(1_000).nullable(),
});

/** A file that a document collected, after its upload completed. */
export const artifactSchema = z.object({
  ...entryBase,
  kind: z.literal('invocation-artefact'),
  invocationId: z.uuid(),
  name: z.string().max(255),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Appended where output was truncated. The text before it may be incomplete. */
export const OUTPUT_CUT_MARK = '\n[output beyond 10 MiB was cut]\n';

/** The result of an invocation, sent after all its output. */
export const resultSchema = z.object({
  ...entryBase,
  kind: z.literal('invocation-result'),
  invocationId: z.uuid(),
  state: z.enum(['Success', 'Failed', 'TimedOut', 'Cancelled']),
  statusDetails: z.enum([
    'Success',
    'Failed',
    'Execution Timed Out',
    'Cancelled',
    'Invalid Platform',
    'Pre-check Failed',
    'Verify Failed',
    'Access Denied',
  ]),
  responseCode: z.int(),
  startedAt: timestamp,
  endedAt: timestamp,
  /** Whether the device truncated output at the limit. */
  outputTruncated: z.boolean(),
});

export const journalEntrySchema = z.discriminatedUnion('kind', [
  deviceEventSchema,
  inventorySchema,
  softwareSchema,
  packagesSchema,
  positionSchema,
  startedSchema,
  outputSchema,
  stepSchema,
  artifactSchema,
  resultSchema,
]);

/** `up/journal`: consecutive entries, oldest first. */
export const journalMessageSchema = z.object({
  instanceId: z.string().max(64),
  /** Identifies this journal file. A device that lost its disk starts a new one at sequence 1. */
  epoch: z.uuid(),
  /**
   * The oldest entry that the device still has, in this message or not. No older entry follows.
   * Absent from agents without this field.
   */
  oldest: z.int().positive().optional(),
  entries: z.array(journalEntrySchema).min(1).max(500),
});

/** A longer wait is requested in several acknowledgments. */
export const MAX_ACK_WAIT_MS = 600_000;

/** `down/ack`: the server has committed every entry up to and including this one. */
export const ackMessageSchema = z.object({
  instanceId: z.string(),
  epoch: z.uuid(),
  upTo: z.int().nonnegative(),
  /**
   * The device has exceeded its quota. Further entries are accepted after this number of
   * milliseconds.
   */
  waitMs: z.int().positive().max(MAX_ACK_WAIT_MS).optional(),
});

export type JournalEntry = z.infer<typeof journalEntrySchema>;
export type JournalEntryKind = JournalEntry['kind'];
export type JournalMessage = z.infer<typeof journalMessageSchema>;
export type AckMessage = z.infer<typeof ackMessageSchema>;
/** An entry before the journal assigns its number and time. */
export type JournalDraft = JournalEntry extends infer Entry
  ? Entry extends { seq: number; at: string }
    ? Omit<Entry, 'seq' | 'at'>
    : never
  : never;
