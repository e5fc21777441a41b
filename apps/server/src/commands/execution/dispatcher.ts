import { isFinal } from '@deviceportal/contract/states';
import type { GatewayLogger } from '../../gateway/gateway-logger.ts';
import type { Change, ChangeFeed } from '../../platform/change-feed.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAgentEngine, type AgentEngineDeps } from './agent-engine.ts';
import {
  enginePerDevice,
  type CommandEngine,
  type DeviceEngine,
  type StoppedInvocation,
} from './command-engine.ts';
import { dispatchRun } from './dispatch-run.ts';
import { expireInvocations } from './expire-invocations.ts';
import {
  findCancelling,
  findQueuedFor,
  findReadyRuns,
  findSentAtOnce,
  findSent,
  findUnanswered,
  type SentInvocation,
} from '../data/execution/open-work-queries.ts';
import { QueuePositions } from './queue-positions.ts';
import { terminateInvocations } from './terminate-invocations.ts';

export interface DispatcherDependencies extends AgentEngineDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  /** Absent if all devices have the agent. */
  readonly otherEngine?: DeviceEngine | undefined;
  readonly logger: GatewayLogger;
  /** Interval of full polls, which find timeouts and rows that another server wrote. */
  readonly pollIntervalMs?: number;
  /** Seconds without a response after which a command is sent again to a connected device. */
  readonly resendAfterSeconds?: number;
}

/** Sends queued commands within their limits, and ends timed-out ones. */
export interface Dispatcher extends AsyncDisposable {
  /** Call after devices have connected: resends what they were sent before, and sends queued commands. */
  readonly devicesConnected: (deviceIds: readonly string[]) => void;
  /** Publishes the messages claimed by the transaction of a new run. */
  readonly sendNew: (runId: string) => void;
  /** Runs a full poll: timeouts, unanswered commands, queued runs. */
  readonly poll: () => Promise<void>;
}

const POLL_INTERVAL_MS = 5_000;
const RESEND_AFTER_SECONDS = 30;
/** Rest after a poll in multiples of its duration, so that polls take at most 5% of the time. */
const REST_FACTOR = 19;
const RUNS_AT_ONCE = 4;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export function createDispatcher(deps: DispatcherDependencies): Dispatcher {
  const work = new DispatchWork(deps);
  const subscription = deps.changes.subscribe((change) => work.hear(change));
  let polling: Promise<void> | undefined;
  let restUntilMs = 0;
  const poll = (): Promise<void> => {
    const startedMs = performance.now();
    polling ??= work.poll().finally(() => {
      polling = undefined;
      const endedMs = performance.now();
      restUntilMs = endedMs + (endedMs - startedMs) * REST_FACTOR;
    });
    return polling;
  };
  const timer = setInterval(() => {
    if (performance.now() >= restUntilMs) void poll();
  }, deps.pollIntervalMs ?? POLL_INTERVAL_MS);
  void poll();
  return {
    devicesConnected: (deviceIds) => work.connected(deviceIds),
    sendNew: (runId) => work.sendNew(runId),
    poll,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      subscription[Symbol.dispose]();
      await polling;
      await work[Symbol.asyncDispose]();
    },
  };
}

class DispatchWork implements AsyncDisposable {
  readonly #deps: DispatcherDependencies;
  readonly #engine: CommandEngine;
  /** Runs to process. A run is never processed concurrently, but again if it was added in the meantime. */
  readonly #ready = new Set<string>();
  readonly #positions = new QueuePositions();
  readonly #running = new Map<string, Promise<void>>();
  readonly #side = new Set<Promise<void>>();
  #connected = new Set<string>();
  #connectedTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    const agent = createAgentEngine(deps);
    this.#engine =
      deps.otherEngine === undefined ? agent : enginePerDevice(agent, deps.otherEngine);
  }

  hear(change: Change): void {
    switch (change.kind) {
      case 'run-created':
      case 'run-resumed':
        this.#rewind([change.runId]);
        return;
      case 'invocations': {
        const ended = change.changed.filter(({ state }) => isFinal(state));
        this.#wake(new Set(ended.map(({ runId }) => runId)));
        return;
      }
      case 'cancel':
        this.#inBackground(async () => {
          await this.#cancel(await findCancelling(this.#deps.database, change.invocationIds));
        });
        return;
      case 'devices-blocked':
        this.#inBackground(async () => {
          const changes = await terminateInvocations(this.#deps.database, change.deviceIds);
          this.#deps.changes.publish(changes);
        });
        return;
      default:
    }
  }

  connected(deviceIds: readonly string[]): void {
    if (this.#stopped) return;
    for (const deviceId of deviceIds) this.#connected.add(deviceId);
    if (this.#connected.size === 0) return;
    this.#connectedTimer ??= setTimeout(() => this.#sendWaiting(), 10);
  }

  sendNew(runId: string): void {
    this.#inBackground(async () => {
      for (let after: string | undefined = FIRST_ID; after !== undefined;) {
        const page = await findSentAtOnce(this.#deps.database, runId, after);
        await this.#engine.send(runId, page);
        after = page.at(-1)?.id;
      }
    });
  }

  async poll(): Promise<void> {
    const { database, changes, logger } = this.#deps;
    try {
      for (let again = true; again && !this.#stopped;) {
        const expired = await expireInvocations(database);
        changes.publish(expired.changes);
        await this.#cancel(expired.running);
        again = expired.again;
      }
      changes.publish(await terminateInvocations(database));
      const silence = this.#deps.resendAfterSeconds ?? RESEND_AFTER_SECONDS;
      await this.#send(await findUnanswered(database, silence));
      this.#rewind(await findReadyRuns(database));
    } catch (error) {
      if (!this.#stopped) logger.warn({ err: error }, 'dispatch poll failed');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#connectedTimer);
    this.#ready.clear();
    await Promise.allSettled([...this.#running.values(), ...this.#side]);
  }

  /** Resends commands that newly connected devices can have lost, and queues the runs with commands for them. */
  #sendWaiting(): void {
    this.#connectedTimer = undefined;
    const deviceIds = [...this.#connected];
    this.#connected = new Set();
    this.#inBackground(async () => {
      const { database, changes } = this.#deps;
      changes.publish(await terminateInvocations(database, deviceIds));
      await this.#send(await findSent(database, deviceIds));
      const queued = await findQueuedFor(database, deviceIds);
      for (const [runId, waiting] of queued) this.#positions.connected(runId, waiting);
      this.#wake(queued.keys());
    });
  }

  #rewind(runIds: readonly string[]): void {
    for (const runId of runIds) this.#positions.rewind(runId);
    this.#wake(runIds);
  }

  #wake(runIds: Iterable<string>): void {
    if (this.#stopped) return;
    for (const runId of runIds) this.#ready.add(runId);
    for (const runId of this.#ready) {
      if (this.#running.size >= RUNS_AT_ONCE) return;
      if (this.#running.has(runId)) continue;
      this.#ready.delete(runId);
      const work = this.#dispatch(runId).finally(() => {
        this.#running.delete(runId);
        this.#wake([]);
      });
      this.#running.set(runId, work);
    }
  }

  async #dispatch(runId: string): Promise<void> {
    try {
      for (let again = true; again && !this.#stopped;) {
        const taken = this.#positions.take(runId);
        const dispatched = await dispatchRun(this.#deps.database, runId, taken);
        this.#positions.put(runId, { taken, reached: dispatched.position });
        again = dispatched.again;
        await this.#engine.send(runId, dispatched.claimed);
        this.#deps.changes.publish(dispatched.changes);
      }
    } catch (error) {
      // Retried by the next poll.
      if (!this.#stopped) this.#deps.logger.warn({ err: error, runId }, 'run dispatch failed');
    }
  }

  async #send(sent: readonly SentInvocation[]): Promise<void> {
    await this.#cancel(sent.filter(({ cancelling }) => cancelling));
    const open = sent.filter(({ cancelling }) => !cancelling);
    for (const [runId, own] of Map.groupBy(open, (one) => one.runId))
      await this.#engine.send(runId, own);
  }

  async #cancel(stopped: readonly StoppedInvocation[]): Promise<void> {
    if (stopped.length > 0) await this.#engine.cancel(stopped);
  }

  #inBackground(task: () => Promise<void>): void {
    if (this.#stopped) return;
    const work = task()
      .catch((error: unknown) =>
        this.#deps.logger.warn({ err: error }, 'background dispatch task failed'),
      )
      .finally(() => this.#side.delete(work));
    this.#side.add(work);
  }
}
