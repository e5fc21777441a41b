import type { DeviceEngine } from '../commands/execution/command-engine.ts';
import { inTransaction } from '../platform/database/database.ts';
import { repeat } from '../platform/process/repeat.ts';
import {
  deleteBatchesBefore,
  findCommandsOf,
  hastenCommands,
  insertBatches,
  takeDueBatches,
  type Batch,
} from './data/batch-queries.ts';
import { findManagedAmong } from './data/managed-instance-queries.ts';
import { readBatch, type ReadDeps } from './read-batch.ts';
import { sendBatch, type SendDeps } from './send-batch.ts';

export interface RunCommandEngineDeps extends Omit<SendDeps, 'leaseSeconds'>, ReadDeps {
  /** Default: longer than a call without an answer can take. */
  readonly leaseSeconds?: number;
  readonly roundMs?: number;
}

/** An engine with a queue of events. */
export interface RunCommandEngine extends DeviceEngine, AsyncDisposable {
  /** Reads these commands as soon as possible. */
  readonly commandsChanged: (commandIds: readonly string[]) => Promise<void>;
  /** Sends and reads what is due. */
  readonly round: () => Promise<void>;
}

/** Most instances of one call (AWS Systems Manager API Reference, SendCommand). */
const INSTANCES_AT_ONCE = 50;
const LEASE_SECONDS = 30;
const ROUND_MS = 1_000;
/** Processed at the same time, each with one call at a time. */
const BATCHES_AT_ONCE = 8;
/** As long as Systems Manager keeps commands. */
const KEPT_MS = 30 * 86_400_000;
const DELETED_AT_ONCE = 1_000;
const DELETE_EVERY_MS = 3_600_000;

/** Sends commands to managed instances by Run Command, and reads their results. */
export function createRunCommandEngine(deps: RunCommandEngineDeps): RunCommandEngine {
  const work = new BatchWork({ ...deps, leaseSeconds: deps.leaseSeconds ?? LEASE_SECONDS });
  const onError = (error: unknown): void =>
    deps.logger.warn({ err: error }, 'Run Command round failed');
  const rounds = repeat(() => work.round(), { everyMs: deps.roundMs ?? ROUND_MS, onError });
  const cleaning = repeat(() => work.clean(), { everyMs: DELETE_EVERY_MS, onError });
  const { database, api, logger } = deps;
  return {
    devicesAmong: (deviceIds) => findManagedAmong(database.orm, deviceIds),
    async send(runId, claimed) {
      const all = { invocations: claimed, size: INSTANCES_AT_ONCE };
      await inTransaction(database, (tx) => insertBatches(tx, runId, all));
      void work.round().catch(onError);
    },
    async cancel(stopped) {
      // An invocation that is not sent yet is left out when its batch is.
      const commands = await findCommandsOf(
        database.orm,
        stopped.map(({ id }) => id),
      );
      for (const [commandId, rows] of commands) {
        const instanceIds = rows.map(({ instanceId }) => instanceId);
        await api
          .cancel(commandId, instanceIds)
          .catch((error: unknown) =>
            logger.warn({ err: error, commandId }, 'command not canceled'),
          );
      }
      await hastenCommands(database.orm, [...commands.keys()]);
    },
    async commandsChanged(commandIds) {
      await hastenCommands(database.orm, commandIds);
      await work.round();
    },
    round: () => work.round(),
    async [Symbol.asyncDispose]() {
      work.stop();
      await rounds[Symbol.asyncDispose]();
      await cleaning[Symbol.asyncDispose]();
      await work.settled();
    },
  };
}

class BatchWork {
  readonly #deps: SendDeps & ReadDeps;
  readonly #running = new Set<Promise<void>>();
  #round: Promise<void> | undefined;
  #again = false;
  #isStopped = false;

  constructor(deps: SendDeps & ReadDeps) {
    this.#deps = deps;
  }

  /** Sends due batches, and again if it is called while it runs. A call without a response does not block others. */
  round(): Promise<void> {
    this.#again = true;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#isStopped) {
      const limit = BATCHES_AT_ONCE - this.#running.size;
      if (limit <= 0) return;
      this.#again = false;
      const { database, leaseSeconds } = this.#deps;
      const taken = await takeDueBatches(database.orm, { limit, seconds: leaseSeconds });
      for (const batch of taken) this.#start(batch);
    }
  }

  #start(batch: Batch): void {
    const work = this.#process(batch).finally(() => {
      this.#running.delete(work);
      // A batch that was sent is due again, to be read.
      if (!this.#isStopped) void this.round().catch(() => {});
    });
    this.#running.add(work);
  }

  async #process(batch: Batch): Promise<void> {
    try {
      if (batch.commandId === null) await sendBatch(this.#deps, batch);
      else await readBatch(this.#deps, batch);
    } catch (error) {
      // Repeated when the lease ends.
      const { logger } = this.#deps;
      logger.warn({ err: error, batchId: batch.id }, 'batch of Run Command not processed');
    }
  }

  async clean(): Promise<void> {
    const before = new Date(this.#deps.clock().getTime() - KEPT_MS);
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE && !this.#isStopped;)
      deleted = await inTransaction(this.#deps.database, (tx) =>
        deleteBatchesBefore(tx, before, DELETED_AT_ONCE),
      );
  }

  stop(): void {
    this.#isStopped = true;
  }

  async settled(): Promise<void> {
    await this.#round?.catch(() => {});
    await Promise.all(this.#running);
  }
}
