import { z } from 'zod';
import { commandTargetSchema } from './command-targets.ts';
import { idSchema } from '../ids.ts';
import { whenLockedSchema } from './change-locks.ts';
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
 * The devices that the user was shown (`previewTarget`, `previewRerun`, `previewUndo`). Required
 * for a filter and for more than one device. If the target has changed since, the run is rejected
 * with 2004. Null is allowed for a single device selected by ID.
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
  /** If absent, the run is rejected with 4001. */
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
  /**
   * Typed confirmation of a destructive command: the serial number (one device) or the number of
   * devices.
   */
  confirmation: z.string().max(128).default(''),
  ...shownTarget,
  /** For devices that another user has locked. */
  whenLocked: whenLockedSchema.default('ask'),
  /** Idempotency key from the browser. The same key creates only one run. */
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
  /** The run that this run undoes; null if it is not an undo. */
  readonly undoes: string | null;
  /** For a run on one device: its invocation and device. */
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
  /** Who paused it and when; null if it is not paused. */
  readonly paused: { readonly by: string; readonly at: Timestamp } | null;
}

export const listRunsInput = z.object({
  /** Only runs that include this device. */
  deviceId: idSchema.nullable().default(null),
  documentName: z.string().max(128).nullable().default(null),
  mine: z.boolean().default(false),
  active: z.boolean().default(false),
  /** Only runs that need an approval that the viewer can give. */
  awaiting: z.boolean().default(false),
  /** Only runs of the last 24 hours that failed on any device. */
  failing: z.boolean().default(false),
  /** Only runs that ended on this day, in UTC. */
  endedOn: z.iso.date().nullable().default(null),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

/** Time range of the trend of runs. */
export const RUN_TREND_DAYS = 30;

/** Results of finished runs per day, oldest first. Days without results are absent. */
export interface RunTrend {
  /** Null if the viewer's scope uses labels, which have no history. */
  readonly days:
    | readonly {
        /** `2026-11-20`, in UTC. */
        readonly day: string;
        /** Numbers of devices on which a run succeeded or failed. */
        readonly succeeded: number;
        readonly failed: number;
      }[]
    | null;
}

export const runReferenceInput = z.object({ id: idSchema });

export const rerunReferenceInput = z.object({
  runId: idSchema,
  /** Only the devices whose invocation did not succeed. */
  onlyFailed: z.boolean().default(false),
  /** Only the devices with this output from `listAnswers`. */
  answer: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  /** For devices that another user has locked. */
  whenLocked: whenLockedSchema.default('ask'),
});

export const rerunCommandInput = rerunReferenceInput.extend({
  confirmation: z.string().max(128).default(''),
  ...shownTarget,
  idempotencyKey: z.uuid(),
});
