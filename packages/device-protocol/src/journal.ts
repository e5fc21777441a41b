/**
 * The journal: everything a device reports that must not be lost. The device numbers its entries, keeps them
 * on disk and sends them in order until the server's acknowledgement `{ upTo }` arrives, which it publishes
 * after its database commit. Receiving an entry twice changes nothing: (instance, epoch, seq) decides.
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

/** Any number of digits may follow the second (RFC 3339, section 5.6). */
const timestamp = z.iso.datetime({ offset: true }).max(40);

const jsonObject = (limitCharacters: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => jsonSize(value, JOURNAL_DATA_LIMIT_DEPTH) <= limitCharacters,
      `is larger than ${limitCharacters} characters, or nested deeper than ${JOURNAL_DATA_LIMIT_DEPTH} levels`,
    );

const entryBase = { seq: z.int().positive(), at: timestamp };

/** Something that happened on the device: `agent-started`, `service-crashed`, `clock-stepped`, … */
export const deviceEventSchema = z.object({
  ...entryBase,
  kind: z.literal('event'),
  type: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/),
  data: jsonObject(JOURNAL_DATA_LIMIT_CHARACTERS),
});

/** What the machine is; sent at start and when it changes. */
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
  /** Memory, processor, disks, network interfaces: shown as it is. */
  details: jsonObject(INVENTORY_DETAILS_LIMIT_CHARACTERS),
});

/** Every component the company releases and approves, with its version: the whole list each time. */
export const softwareSchema = z.object({
  ...entryBase,
  kind: z.literal('software'),
  components: z
    .array(z.object({ component: z.string().max(128), version: z.string().max(64) }))
    .max(2_000),
});

/**
 * A piece of the list of everything installed, as the machine's package manager names it. Lists are sorted by name and
 * cut where a message would grow too large: a piece says what is installed under the names above `after` up to `upTo`
 * (null: no end), so that each can be taken alone, again, and in any company.
 */
export const packagesSchema = z.object({
  ...entryBase,
  kind: z.literal('packages'),
  /** The same for all pieces of one list. */
  report: z.uuid(),
  after: z.string().max(128).nullable(),
  upTo: z.string().max(128).nullable(),
  packages: z
    .array(
      z.object({
        // A colon parts name and version where people filter by them.
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

/** The device has taken a command and begun. */
export const startedSchema = z.object({
  ...entryBase,
  kind: z.literal('invocation-started'),
  invocationId: z.uuid(),
});

/** A piece of output. `offset` counts the UTF-16 units of this stream that came before it. */
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
  /** Why the step was skipped or failed, where its output does not say. */
  reason: z.string().max(1_000).nullable(),
});

/** A file that a document collected and that has been uploaded whole. */
export const artefactSchema = z.object({
  ...entryBase,
  kind: z.literal('invocation-artefact'),
  invocationId: z.uuid(),
  name: z.string().max(255),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Where output was cut at its limit: what stands before it may be the beginning of something longer. */
export const OUTPUT_CUT_MARK = '\n[output beyond 10 MiB was cut]\n';

/** The end of an invocation, sent after the last of its output. */
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
  /** Output beyond the limit was cut on the device. */
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
  artefactSchema,
  resultSchema,
]);

/** `up/journal`: consecutive entries, oldest first. */
export const journalMessageSchema = z.object({
  instanceId: z.string().max(64),
  /** Names this journal file; a device that lost its disk starts a new one at sequence 1. */
  epoch: z.uuid(),
  /**
   * The oldest entry that the device still keeps, whether in this message or not: nothing older will come. Absent from
   * agents before it was.
   */
  oldest: z.int().positive().optional(),
  entries: z.array(journalEntrySchema).min(1).max(500),
});

/** Longer is asked for again. */
export const MAX_ACK_WAIT_MS = 600_000;

/** `down/ack`: the server has committed every entry up to and including this one. */
export const ackMessageSchema = z.object({
  instanceId: z.string(),
  epoch: z.uuid(),
  upTo: z.int().nonnegative(),
  /** The device has said more than its quota: what follows is taken after so many milliseconds. */
  waitMs: z.int().positive().max(MAX_ACK_WAIT_MS).optional(),
});

export type JournalEntry = z.infer<typeof journalEntrySchema>;
export type JournalEntryKind = JournalEntry['kind'];
export type JournalMessage = z.infer<typeof journalMessageSchema>;
export type AckMessage = z.infer<typeof ackMessageSchema>;
/** An entry before the journal has given it its number and time. */
export type JournalDraft = JournalEntry extends infer Entry
  ? Entry extends { seq: number; at: string }
    ? Omit<Entry, 'seq' | 'at'>
    : never
  : never;
