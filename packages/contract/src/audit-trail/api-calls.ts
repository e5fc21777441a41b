import { z } from 'zod';
import type { SessionRefusal } from '../access/session-refusals.ts';
import { cursorSchema, pageSizeSchema, timeRangeSchema, type Timestamp } from '../pages.ts';

/** Filter for API calls. Null and false do not filter. */
export const apiCallFilterSchema = z.object({
  /** For example, `devices.list`. */
  path: z.string().max(128).nullable().default(null),
  userId: z.string().max(128).nullable().default(null),
  onlyErrors: z.boolean().default(false),
  /** A code of the error catalog. */
  errorCode: z.int32().nullable().default(null),
  /** Minimum duration in milliseconds. */
  minDurationMs: z.number().min(0).max(3_600_000).nullable().default(null),
  requestId: z.string().max(128).nullable().default(null),
  range: timeRangeSchema.prefault({}),
});

export const listApiCallsInput = apiCallFilterSchema.extend({
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export interface ApiCall {
  readonly id: string;
  readonly at: Timestamp;
  readonly userId: string | null;
  readonly username: string | null;
  readonly address: string;
  readonly kind: 'query' | 'mutation';
  readonly path: string;
  readonly batchSize: number;
  readonly durationMs: number;
  readonly status: number;
  readonly errorCode: number | null;
  /** Why the call had no session; null if it had one. */
  readonly refusal: SessionRefusal | null;
  /** Name of the API token of the call; null for a session. */
  readonly apiToken: string | null;
  readonly requestId: string;
  /** Masked and truncated. */
  readonly input: string | null;
}

export const apiCallHistoryInput = apiCallFilterSchema;

/** Calls that started within one time step. */
export interface ApiCallHistoryStep {
  readonly at: Timestamp;
  readonly calls: number;
  readonly errors: number;
  /** Percentiles of the durations in milliseconds; null without calls. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

/** Calls over time, in consecutive steps of equal length. */
export interface ApiCallHistory {
  readonly stepMs: number;
  readonly steps: readonly ApiCallHistoryStep[];
}
