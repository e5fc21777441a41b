import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss, type Schedule } from 'pg-boss';
import pg from 'pg';
import type { Database, Transaction } from '../database/database.ts';
import { openPoolBeside } from '../database/connections/open-pool.ts';
import type { Logger } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import type { TracedWork } from '../tracing/telemetry-package.ts';
import { traced } from '../tracing/traced.ts';
import { JOBS_SCHEMA } from './jobs-schema.ts';
import type { Job } from './job.ts';

export interface SendJobOptions {
  /** The job is created if and only if this transaction commits. */
  readonly tx?: Transaction;
  readonly startAfter?: Date;
  /** While a job of this kind with this key is queued, no other one is added. */
  readonly key?: string;
}

/** Background jobs: sent by any server, run once by a server with the role `worker`. */
export interface Jobs extends AsyncDisposable {
  /**
   * Before `start`: registers the kind, so that it can be sent, scheduled, and (on a worker) run.
   */
  readonly define: <Data extends object>(job: Job<Data>) => void;
  /** Before `start`: runs the job by a cron expression (UTC), once across all servers. */
  readonly schedule: <Data extends object>(job: Job<Data>, cron: string, data: Data) => void;
  readonly send: <Data extends object>(
    job: Job<Data>,
    data: Data,
    options?: SendJobOptions,
  ) => Promise<void>;
  readonly start: () => Promise<void>;
}

export interface JobsOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** False to only send jobs. */
  readonly work: boolean;
}

interface PlannedSchedule {
  readonly name: string;
  readonly cron: string;
  readonly data: object;
}

const STOP_LIMIT_MS = 6_000;

export function createJobs(options: JobsOptions): Jobs {
  const { logger } = options;
  const pool = openPoolBeside(options.database.pool, {
    // Polls of many queues are due together and take a millisecond each. Every connection costs 5 MB.
    max: 2,
    application_name: 'device-portal jobs',
    // pg-boss expects the types of node-postgres.
    types: pg.types,
  });
  pool.on('error', (error) => logger.warn({ reason: error.message }, 'database connection lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: JOBS_SCHEMA,
    // `npm run migrate` and the server start create the schema with the owner's privileges.
    migrate: false,
    schedule: options.work,
    supervise: options.work,
  });
  boss.on('error', (error) => logger.warn({ err: error }, 'jobs'));
  const defined = new Map<string, Job<object>>();
  const schedules: PlannedSchedule[] = [];
  let started = false;
  return {
    define(job) {
      if (defined.has(job.name)) throw new RangeError(`job ${job.name} is defined twice`);
      defined.set(job.name, job as unknown as Job<object>);
    },
    schedule(job, cron, data) {
      schedules.push({ name: job.name, cron, data: job.schema.parse(data) });
    },
    async send(job, data, { tx, startAfter, key } = {}) {
      await boss.send(job.name, job.schema.parse(data), {
        ...(tx === undefined ? {} : { db: fromDrizzle(tx, sql) }),
        ...(startAfter === undefined ? {} : { startAfter }),
        // The queue's policy allows one queued job per key, and jobs without a key would share one.
        singletonKey: key ?? randomUUID(),
      });
    },
    async start() {
      await boss.start();
      started = true;
      await prepareQueues(boss, [...defined.values()]);
      if (!options.work) return;
      await keepSchedules(boss, schedules);
      for (const job of defined.values()) await work(boss, job, options);
    },
    async [Symbol.asyncDispose]() {
      if (started) await boss.stop({ graceful: true, timeout: STOP_LIMIT_MS });
      await pool.end();
    },
  };
}

/** Queues persist. Only those that are missing or have other settings are written, which a start waits for. */
async function prepareQueues(boss: PgBoss, jobs: readonly Job<object>[]): Promise<void> {
  const found = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const job of jobs) {
    const settings = queueSettingsOf(job);
    const queue = found.get(job.name);
    if (queue === undefined) await boss.createQueue(job.name, { ...settings, policy: 'short' });
    else if (!isDeepStrictEqual({ ...queue, ...settings }, queue)) {
      await boss.updateQueue(job.name, settings);
    }
  }
}

const queueSettingsOf = ({ options }: Job<object>) => ({
  retryLimit: options.retries ?? 5,
  retryDelay: 2,
  retryBackoff: true,
  expireInSeconds: options.timeoutSeconds ?? 900,
  deleteAfterSeconds: 86_400,
});

/**
 * The schedule table persists across releases. Schedules that this release no longer defines are
 * removed.
 */
async function keepSchedules(boss: PgBoss, wanted: readonly PlannedSchedule[]): Promise<void> {
  const found = await boss.getSchedules();
  for (const { name } of found) {
    if (!wanted.some((schedule) => schedule.name === name)) await boss.unschedule(name);
  }
  for (const { name, cron, data } of wanted) {
    const isKept = found.some(
      (schedule) => schedule.name === name && isSame(schedule, { cron, data }),
    );
    if (!isKept) await boss.schedule(name, cron, data, { tz: 'UTC' });
  }
}

const isSame = (
  { cron, timezone, data }: Pick<Schedule, 'cron' | 'timezone' | 'data'>,
  wanted: Pick<PlannedSchedule, 'cron' | 'data'>,
): boolean => isDeepStrictEqual({ cron, timezone, data }, { ...wanted, timezone: 'UTC' });

async function work(boss: PgBoss, job: Job<object>, options: JobsOptions): Promise<void> {
  const settings = {
    batchSize: 1,
    localConcurrency: job.options.concurrency ?? 1,
    pollingIntervalSeconds: job.options.pollingSeconds ?? 2,
  };
  await boss.work<object>(job.name, settings, async ([sent]) => {
    if (sent === undefined) return;
    const startedAt = performance.now();
    const span: TracedWork = {
      ...{ kind: 'consumer', name: `job ${job.name}` },
      attributes: { 'deviceportal.job_attempt': sent.retryCount + 1 },
    };
    const context = { jobId: sent.id, attempt: sent.retryCount + 1, signal: sent.signal };
    const measure = (outcome: string) =>
      options.metrics.jobSeconds.observe(
        { job: job.name, outcome },
        (performance.now() - startedAt) / 1_000,
      );
    try {
      await traced(span, () => job.handle(job.schema.parse(sent.data ?? {}), context));
      measure('done');
    } catch (error) {
      measure('failed');
      options.metrics.logErrors.inc();
      const { traceId } = span;
      const line = { err: error, job: job.name, jobId: sent.id };
      options.logger.error({ ...line, ...(traceId && { traceId }) }, 'job failed');
      throw error;
    }
  });
}
