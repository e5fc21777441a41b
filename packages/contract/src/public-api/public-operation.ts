import type { z } from 'zod';

type AnyObject = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** An operation of `/api/v1`: its address, its schemas, and what the reference says about it. */
export interface PublicOperation {
  readonly method: 'get' | 'post';
  /** Below `/api/v1`, with parameters in braces. */
  readonly path: string;
  readonly tag:
    | 'Token'
    | 'Search'
    | 'Devices'
    | 'Files'
    | 'Metrics'
    | 'Commands'
    | 'Documents'
    | 'Cases'
    | 'Alerts'
    | 'Audit trail'
    | 'Imports'
    | 'Webhooks';
  readonly summary: string;
  readonly description?: string;
  readonly params?: AnyObject;
  readonly query?: AnyObject;
  readonly body?: AnyObject;
  readonly output: z.ZodType;
  readonly status: 200 | 201;
  /** Whether a header `Idempotency-Key` is read, or required. */
  readonly idempotencyKey?: 'optional' | 'required';
  /** Permissions that the call can require; the first one always, unless it says otherwise. */
  readonly permissions: readonly string[];
}

export const IDEMPOTENCY_HEADER = 'idempotency-key';
/** For this long, a repeated key is recognized. */
export const IDEMPOTENCY_DAYS = 7;
