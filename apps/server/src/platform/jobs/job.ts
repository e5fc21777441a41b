import type { z } from 'zod';

export interface JobOptions {
  /** Further attempts after a failure, with growing pauses. Default 5. */
  readonly retries?: number;
  /** A job that takes longer counts as failed. Default 900. */
  readonly timeoutSeconds?: number;
  /** How many run at once in one process. Default 1. */
  readonly concurrency?: number;
  /** How often the queue is looked at. Default 2. */
  readonly pollingSeconds?: number;
}

export interface JobContext {
  readonly jobId: string;
  readonly attempt: number;
  /** Aborted when the server stops or the time is up. */
  readonly signal: AbortSignal;
}

/** A kind of background work. It may run more than once for one sending, so it must be idempotent. */
export interface Job<Data extends object> {
  readonly name: string;
  readonly schema: z.ZodType<Data>;
  readonly handle: (data: Data, context: JobContext) => Promise<void>;
  readonly options: JobOptions;
}

/** @param name in kebab case, with the noun first: `commands-expire` */
export function defineJob<Data extends object>(
  name: string,
  schema: z.ZodType<Data>,
  handle: Job<Data>['handle'],
  options: JobOptions = {},
): Job<Data> {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new RangeError(`job name ${name}`);
  return { name, schema, handle, options };
}
