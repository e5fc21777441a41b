import { z } from 'zod';
import { commandTargetSchema } from './command-targets.ts';
import { idSchema } from '../ids.ts';
import { whenBusySchema } from './leases.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import type { Consequence } from '../access/permissions.ts';
import type { RunState, StatusDetails } from '../states.ts';
import {
  DEFAULT_DELIVERY_TIMEOUT_SECONDS,
  DEFAULT_MAX_CONCURRENCY,
  DEFAULT_MAX_ERRORS,
  MAX_DELIVERY_TIMEOUT_SECONDS,
  MIN_DELIVERY_TIMEOUT_SECONDS,
} from '../constants.ts';

const rate = z.string().regex(/^([1-9]\d{0,6}|[1-9]\d?%|100%)$/);

/**
 * The devices that the person was shown (`previewTarget`, `previewRerun`, `previewUndo`). A run on a filter or on more
 * than one device names them; when it would reach others by now, nothing runs and 2004 says what has changed. Null is
 * enough for one device that is chosen by its id.
 */
export const shownTarget = {
  targetSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  targetCount: z.int().min(0).nullable().default(null),
};

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
  ...shownTarget,
  /** On devices that somebody else is changing. */
  whenBusy: whenBusySchema.default('ask'),
  /** Made by the browser: the same key twice makes one run. */
  idempotencyKey: z.uuid(),
});
export type RunCommandInput = z.infer<typeof runCommandInput>;

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
  readonly serialNumber: string | null;
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

export const listRunsInput = z.object({
  /** Only runs that touch this device. */
  deviceId: idSchema.nullable().default(null),
  documentName: z.string().max(128).nullable().default(null),
  mine: z.boolean().default(false),
  active: z.boolean().default(false),
  /** Only runs that wait for an approval that the viewer may give. */
  awaiting: z.boolean().default(false),
  /** Only runs of the last day that failed on some device. */
  failing: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export const runReferenceInput = z.object({ id: idSchema });

export const rerunReferenceInput = z.object({
  runId: idSchema,
  /** Only the devices whose invocation ended without success. */
  onlyFailed: z.boolean().default(false),
  /** Only the devices that gave this answer, of `listAnswers`. */
  answer: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  /** On devices that somebody else is changing. */
  whenBusy: whenBusySchema.default('ask'),
});

export const rerunCommandInput = rerunReferenceInput.extend({
  confirmation: z.string().max(128).default(''),
  ...shownTarget,
  idempotencyKey: z.uuid(),
});
