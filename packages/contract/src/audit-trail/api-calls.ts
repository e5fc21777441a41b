import { z } from 'zod';
import type { SessionRefusal } from '../access/session-refusals.ts';
import { cursorSchema, pageSizeSchema, timeRangeSchema, type Timestamp } from '../pages.ts';

/** Which calls; what is null or false asks for nothing. */
export const apiCallFilterSchema = z.object({
  /** Such as `devices.list`. */
  path: z.string().max(128).nullable().default(null),
  userId: z.string().max(128).nullable().default(null),
  onlyErrors: z.boolean().default(false),
  /** Of the error catalogue. */
  errorCode: z.int32().nullable().default(null),
  /** At least this long, in milliseconds. */
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
  /** Why there was no session, where there was none. */
  readonly refusal: SessionRefusal | null;
  readonly requestId: string;
  /** Masked and cut. */
  readonly input: string | null;
}

export const apiCallHistoryInput = apiCallFilterSchema;

/** The calls that began within one step of a history. */
export interface ApiCallHistoryStep {
  readonly at: Timestamp;
  readonly calls: number;
  readonly errors: number;
  /** Percentiles of their durations in milliseconds; null where nothing was called. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

/** Calls over time, in steps of equal length without gaps. */
export interface ApiCallHistory {
  readonly stepMs: number;
  readonly steps: readonly ApiCallHistoryStep[];
}
