import type { z } from 'zod';

export interface JobOptions {
  /** Number of retries with exponential back-off. Default: 5. */
  readonly retries?: number;
  /** A job that takes longer fails. Default: 900. */
  readonly timeoutSeconds?: number;
  /** Concurrent jobs per process. Default: 1. */
  readonly concurrency?: number;
  /** Polling interval of the queue. Default: 2. */
  readonly pollingSeconds?: number;
}

export interface JobContext {
  readonly jobId: string;
  readonly attempt: number;
  /** Aborted when the server stops or the job times out. */
  readonly signal: AbortSignal;
}

/** A kind of background job. A job can run more than once, so it must be idempotent. */
export interface Job<Data extends object> {
  readonly name: string;
  readonly schema: z.ZodType<Data>;
  readonly handle: (data: Data, context: JobContext) => Promise<void>;
  readonly options: JobOptions;
}

/** @param name in kebab case, noun first: `commands-expire` */
export function defineJob<Data extends object>(
  name: string,
  schema: z.ZodType<Data>,
  handle: Job<Data>['handle'],
  options: JobOptions = {},
): Job<Data> {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new RangeError(`job name ${name}`);
  return { name, schema, handle, options };
}
