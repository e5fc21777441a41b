import { z } from 'zod';
import { deviceFilterSchema, type Verdict } from './devices.ts';
import { documentNameSchema } from './documents.ts';
import { idSchema } from './ids.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from './pages.ts';
import type { Consequence, Permission, Scope } from './permissions.ts';
import type { DeclaredPhase, StepPhase } from './document-phases.ts';
import type { DocumentParameter, DocumentStep } from './ssm-document.ts';
import type {
  DocumentState,
  InvocationState,
  RunState,
  StatusDetails,
  StepState,
} from './states.ts';
import {
  DEFAULT_DELIVERY_TIMEOUT_SECONDS,
  DEFAULT_MAX_CONCURRENCY,
  DEFAULT_MAX_ERRORS,
  MAX_DELIVERY_TIMEOUT_SECONDS,
  MIN_DELIVERY_TIMEOUT_SECONDS,
} from './constants.ts';

/** `logs/tail`, `shell`: a catalogue entry's name and, after a slash, its sub-command. */
export const commandNameSchema = z.string().regex(/^[a-z][a-z0-9-]*(\/[a-z][a-z0-9-]*)?$/);

export interface CommandDefinition {
  readonly command: string;
  readonly name: string;
  readonly sub: string | null;
  readonly documentName: string | null;
  readonly consequence: Consequence;
  readonly needsSerialNumber: boolean;
  readonly group: 'diagnose' | 'fix' | 'change' | 'reset' | 'free';
  readonly description: string;
  readonly platforms: readonly string[];
  readonly favourite: boolean;
  /** Whether the viewer may run it anywhere; the permission that is missing otherwise. */
  readonly allowed: boolean;
  readonly missingPermission: string | null;
}

/** Everything the command screen needs to make its form. */
export interface CommandForm extends CommandDefinition {
  readonly documentVersion: number;
  readonly documentSha256: string;
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly secretParameters: readonly string[];
  /** Median duration of past invocations, null without history. */
  readonly typicalDurationMs: number | null;
  readonly siblings: readonly CommandDefinition[];
  /** Only `active` runs. */
  readonly documentState: DocumentState;
  /** How many steps look before and after it, and take it back. */
  readonly phases: Readonly<Record<DeclaredPhase, number>>;
  /** Names of the roles that may approve it. */
  readonly approverRoles: readonly string[];
  /** What the viewer ran this document with last, secrets left out; null before the first time. */
  readonly lastValues: LastValues | null;
}

export interface LastValues {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly at: Timestamp;
}

export const documentUsageInput = z.object({ document: documentNameSchema });

/** `name` or `name:version`. */
export const whoMayRunInput = z.object({ document: z.string().max(160) });

/** Which roles may run a document, and by which of their permissions. */
export interface DocumentRunners {
  readonly consequence: Consequence;
  /** Catalogue commands that bind it: a right for one of them by its name is a right for this document. */
  readonly commands: readonly string[];
  readonly roles: readonly DocumentRunner[];
  /** Whether the viewer may, and what is missing otherwise. */
  readonly allowed: boolean;
  readonly missingPermission: string | null;
}

export interface DocumentRunner {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** On which devices. */
  readonly scope: Scope;
  /** Whether it also holds `documents:approve`. */
  readonly approves: boolean;
}

/** How a document was used in the last 30 days. */
export interface DocumentUsage {
  readonly days: number;
  readonly runs: number;
  readonly invocations: number;
  /** Of finished invocations; null without any. */
  readonly successRate: number | null;
  /** Of successful ones in its latest runs; null without any. */
  readonly medianDurationMs: number | null;
  /** Where it failed most in its latest runs, among devices that the viewer may see. */
  readonly failingModels: readonly { readonly model: string | null; readonly failed: number }[];
}

/** A command that helps next, and why. */
export interface NextRemedy {
  readonly command: string;
  readonly consequence: Consequence;
  readonly description: string;
  readonly reason: 'succeeded' | 'failed' | 'verdict';
  /** What is wrong with the device, where that is the reason. */
  readonly verdict: Verdict | null;
}

export const getCommandFormInput = z.object({
  command: z.string().max(128),
  /** `name` or `name:version`; empty takes the catalogue entry's own document in its default version. */
  document: z.string().max(160).default(''),
});

const rate = z.string().regex(/^([1-9]\d{0,6}|[1-9]\d?%|100%)$/);

export const commandTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('devices'), deviceIds: z.array(idSchema).min(1).max(10_000) }),
  z.object({ kind: z.literal('filter'), filter: deviceFilterSchema }),
]);
export type CommandTarget = z.infer<typeof commandTargetSchema>;

export const runCommandInput = z.object({
  command: z.string().max(128),
  document: z.string().max(160).default(''),
  /** Absent: error 4001, command has no device. */
  target: commandTargetSchema.nullable(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  maxConcurrency: rate.default(DEFAULT_MAX_CONCURRENCY),
  maxErrors: z
    .string()
    .regex(/^(0|[1-9]\d{0,6}|\d{1,2}%|100%)$/)
    .default(DEFAULT_MAX_ERRORS),
  timeoutSeconds: z
    .int()
    .min(MIN_DELIVERY_TIMEOUT_SECONDS)
    .max(MAX_DELIVERY_TIMEOUT_SECONDS)
    .default(DEFAULT_DELIVERY_TIMEOUT_SECONDS),
  comment: z.string().trim().max(500).default(''),
  /** What was typed to confirm a destroying command: the serial number (one device) or the count (many). */
  confirmation: z.string().max(128).default(''),
  /**
   * Of the devices that the person was shown (`previewTarget`): when it would reach others by now, nothing runs and
   * 2004 says what has changed. Null where nobody was shown any.
   */
  targetSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  /** Made by the browser: the same key twice makes one run. */
  idempotencyKey: z.uuid(),
});
export type RunCommandInput = z.infer<typeof runCommandInput>;

export interface TargetPreview {
  /** Over the ids of the devices that it would reach, sorted, one a line. */
  readonly sha256: string;
  readonly count: number;
  readonly online: number;
  readonly excluded: readonly { readonly reason: ExclusionReason; readonly count: number }[];
  readonly sample: readonly {
    readonly id: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
}
export type ExclusionReason =
  | 'suspended'
  | 'retired'
  | 'no-instance'
  | 'no-serial-number'
  | 'not-permitted';

export interface RunCounters {
  readonly target: number;
  readonly pending: number;
  readonly inProgress: number;
  readonly success: number;
  readonly failed: number;
  readonly timedOut: number;
  readonly cancelled: number;
}

export interface RunRow {
  readonly id: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly state: RunState;
  readonly statusDetails: StatusDetails;
  readonly counters: RunCounters;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly comment: string;
  readonly createdBy: string;
  readonly createdAt: Timestamp;
  readonly endedAt: Timestamp | null;
  readonly expiresAt: Timestamp;
  /** The run that this one takes back; null where it does something itself. */
  readonly undoes: string | null;
  /** For a run on one device: that invocation and device. */
  readonly invocationId: string | null;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
}

export interface RunDetail extends RunRow {
  readonly consequence: Consequence;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
  readonly cancellable: boolean;
  /** Who holds it back, and since when; null where nobody does. */
  readonly paused: { readonly by: string; readonly at: Timestamp } | null;
}

export interface InvocationRow {
  readonly id: string;
  readonly runId: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly serialNumber: string | null;
  readonly instanceId: string | null;
  readonly state: InvocationState;
  readonly statusDetails: StatusDetails;
  readonly attempt: number;
  readonly responseCode: number | null;
  readonly queuedAt: Timestamp;
  readonly sentAt: Timestamp | null;
  readonly startedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly createdBy: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The first 2,500 characters, secrets masked. */
  readonly outputPreview: string;
}

export interface InvocationStep {
  readonly index: number;
  readonly name: string;
  readonly action: string;
  readonly phase: StepPhase;
  readonly state: StepState;
  readonly exitCode: number | null;
  readonly startedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly reason: string | null;
}

export interface InvocationArtefact {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Signed, works for an hour. */
  readonly downloadUrl: string;
}

export interface InvocationDetail extends InvocationRow {
  readonly steps: readonly InvocationStep[];
  readonly stdout: OutputPiece;
  readonly stderr: OutputPiece;
  readonly artefacts: readonly InvocationArtefact[];
  readonly deviceOnline: boolean;
  readonly deliverBefore: Timestamp;
  readonly expiresAt: Timestamp;
  readonly consequence: Consequence;
  readonly comment: string;
  /** The run that this one takes back; null where it does something itself. */
  readonly undoes: string | null;
  /** 5001's condition: ten minutes without news while not final. The state itself is untouched. */
  readonly waitFailed: boolean;
}

/** Part of a stream from `offset` (UTF-16 units); `total` is what has arrived so far. */
export interface OutputPiece {
  readonly offset: number;
  readonly text: string;
  readonly total: number;
  /** Cut at the limit of 10 MiB. */
  readonly truncated: boolean;
}

export const getInvocationInput = z.object({
  id: idSchema,
  /** Send only what came after these offsets. */
  stdoutFrom: z.int().nonnegative().default(0),
  stderrFrom: z.int().nonnegative().default(0),
});

export const listRunsInput = z.object({
  /** Only runs that touch this device. */
  deviceId: idSchema.nullable().default(null),
  documentName: z.string().max(128).nullable().default(null),
  mine: z.boolean().default(false),
  active: z.boolean().default(false),
  /** Only runs of the last day that failed on some device. */
  failing: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export const listInvocationsInput = z.object({
  runId: idSchema.nullable().default(null),
  deviceId: idSchema.nullable().default(null),
  states: z.array(z.string()).default([]),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

/** Whom a run would reach, asked before it is sent. */
export const previewTargetInput = z.object({
  command: z.string().max(128),
  document: z.string().max(160).default(''),
  target: commandTargetSchema,
});

export const runReferenceInput = z.object({ id: idSchema });

export const rerunCommandInput = z.object({
  runId: idSchema,
  /** Only the devices whose invocation ended without success. */
  onlyFailed: z.boolean().default(false),
  /** Only the devices that gave this answer, of `listAnswers`. */
  answer: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  confirmation: z.string().max(128).default(''),
  idempotencyKey: z.uuid(),
});

export const undoReferenceInput = z.object({
  runId: idSchema,
  /** Only this device; null: all on which it took effect. */
  deviceId: idSchema.nullable().default(null),
});

export const undoRunInput = undoReferenceInput.extend({
  comment: z.string().trim().max(500).default(''),
  confirmation: z.string().max(128).default(''),
  idempotencyKey: z.uuid(),
});

/** Whether a run can be taken back, and what that would do. */
export interface UndoOffer {
  readonly runId: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly consequence: Consequence;
  /** The run's own, secret ones masked: the undo gets the same. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly secretParameters: readonly string[];
  readonly steps: readonly DocumentStep[];
  /** Devices within the viewer's sight on which it took effect and was not taken back. */
  readonly count: number;
  readonly sample: readonly {
    readonly id: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
  /** Why there is nothing to undo; null where there is. */
  readonly hindrance: UndoHindrance | null;
  readonly allowed: boolean;
  readonly missingPermission: string | null;
  /** Runs that take it back, the latest first. */
  readonly undoneBy: readonly {
    readonly runId: string;
    readonly by: string;
    readonly at: Timestamp;
  }[];
}
/** The document has no undo; it is an undo itself; it took effect nowhere; it was taken back everywhere. */
export type UndoHindrance = 'no-undo' | 'is-undo' | 'no-effect' | 'undone';

export const setFavouriteInput = z.object({
  command: commandNameSchema,
  favourite: z.boolean(),
});

/**
 * A distinct answer of a run: the same end, exit code and output, where times, ids, addresses and the device's own
 * names do not count.
 */
export interface RunAnswer {
  readonly sha256: string;
  readonly statusDetails: StatusDetails;
  readonly responseCode: number | null;
  /** Devices within the viewer's scope that gave it. */
  readonly count: number;
  /** The beginning of the normalised output; `getAnswer` has more. */
  readonly text: string;
  /** The first devices that gave it. */
  readonly sample: readonly {
    readonly invocationId: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
}

export interface RunAnswers {
  /** The most frequent first, at most 100. */
  readonly answers: readonly RunAnswer[];
  /** Distinct answers altogether. */
  readonly distinct: number;
  /** Invocations that have ended and are not among the answers yet: ask again. */
  readonly unread: number;
}

export const answerReferenceInput = z.object({
  runId: idSchema,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const keepAnswerInput = answerReferenceInput.extend({
  name: z.string().trim().min(1).max(80),
});

/** A saved view of the devices that gave an answer, and their list. */
export interface KeptAnswer {
  readonly viewId: string;
  readonly targetListId: string;
  readonly devices: number;
  /** Lists hold serial numbers: devices without one are not on it. */
  readonly withoutSerialNumber: number;
}

export const resultsFormatSchema = z.enum(['csv', 'json']);
export type ResultsFormat = z.infer<typeof resultsFormatSchema>;

export const exportResultsInput = z.object({ id: idSchema, format: resultsFormatSchema });
