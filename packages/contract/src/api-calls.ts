import { z } from 'zod';
import { cursorSchema, pageSizeSchema, timeRangeSchema, type Timestamp } from './pages.ts';

export const listApiCallsInput = z.object({
  path: z.string().max(128).nullable().default(null),
  userId: z.string().max(128).nullable().default(null),
  onlyErrors: z.boolean().default(false),
  requestId: z.string().max(128).nullable().default(null),
  range: timeRangeSchema.prefault({}),
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
  readonly requestId: string;
  /** Masked and cut. */
  readonly input: string | null;
}
