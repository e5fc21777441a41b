import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageQueue, QueuedMessage } from '../../platform/aws/aws-package.ts';
import type { GatewayDependencies, QueueOutcome } from '../gateway-dependencies.ts';
import type { UpMessage } from '../device-transport.ts';
import type { ConnectionReport } from '../iot/connection-report.ts';
import { readQueuedMessage } from './read-queued-message.ts';

export interface DeviceQueue {
  readonly messages: MessageQueue;
  readonly maxMessageBytes: number;
  /** Called after every answer with the age of the oldest new message; 0 without one. */
  readonly onAge?: (ageMs: number) => void;
}

/** What processes messages of the queue. */
export interface QueueTakers {
  readonly journal: (message: UpMessage) => Promise<QueueOutcome>;
  /** Everything else that devices send. Undefined where the broker delivers it. */
  readonly others:
    | {
        readonly up: (message: UpMessage) => Promise<void>;
        readonly connection: (report: ConnectionReport) => Promise<void>;
      }
    | undefined;
}

/** Each takes ten messages at a time. */
const RECEIVERS = { journals: 8, everything: 32 };
/** Before a message that waits for an earlier one, or for the database, is delivered again. */
const FIRST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 60;
const FAULT_PAUSE_MS = 1_000;
const LONGEST_FAULT_PAUSE_MS = 30_000;
const LOG_QUIET_MS = 10_000;

/**
 * Processes what devices send by a queue. A message is removed after its entries are
 * committed, or after its rejection is recorded. What no device can have sent stays in the queue, so
 * that the queue moves it to its dead letters.
 */
export class QueueConsumer implements AsyncDisposable {
  readonly #queue: DeviceQueue;
  readonly #deps: Pick<GatewayDependencies, 'logger' | 'meter'>;
  readonly #stop = new AbortController();
  #receivers: readonly Promise<void>[] = [];
  #lastWarningMs = Number.NEGATIVE_INFINITY;

  constructor(queue: DeviceQueue, deps: Pick<GatewayDependencies, 'logger' | 'meter'>) {
    this.#queue = queue;
    this.#deps = deps;
  }

  start(takers: QueueTakers): void {
    const length = takers.others === undefined ? RECEIVERS.journals : RECEIVERS.everything;
    this.#receivers = Array.from({ length }, () => this.#receive(takers));
  }

  /** Receives no more messages. */
  stop(): void {
    this.#stop.abort();
  }

  /** Waits for the messages that the journal has taken, so dispose the journal first. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await Promise.all(this.#receivers);
  }

  async #receive(takers: QueueTakers): Promise<void> {
    const { signal } = this.#stop;
    let pauseMs = FAULT_PAUSE_MS;
    while (!signal.aborted) {
      try {
        const received = await this.#queue.messages.receive(signal);
        this.#queue.onAge?.(ageOf(received));
        await this.#settle(takers, received);
        pauseMs = FAULT_PAUSE_MS;
      } catch (error) {
        if (signal.aborted) return;
        this.#warn(error, 'device queue unavailable');
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, LONGEST_FAULT_PAUSE_MS);
      }
    }
  }

  async #settle(takers: QueueTakers, received: readonly QueuedMessage[]): Promise<void> {
    const outcomes = await Promise.all(received.map((message) => this.#take(takers, message)));
    for (const outcome of outcomes) this.#deps.meter?.queued(outcome);
    const those = (...wanted: QueueOutcome[]): readonly QueuedMessage[] =>
      received.filter((_message, index) => wanted.some((outcome) => outcome === outcomes[index]));
    const { messages } = this.#queue;
    await messages.remove(those('committed', 'refused').map(({ receipt }) => receipt));
    await messages.postpone(
      those('deferred').map(({ receipt, deliveries }) => ({
        receipt,
        seconds: Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (deliveries - 1)),
      })),
    );
  }

  async #take(takers: QueueTakers, { body }: QueuedMessage): Promise<QueueOutcome> {
    const read = readQueuedMessage(body);
    if (read.kind === 'unreadable') return this.#leave(read.fault);
    if (read.kind === 'connection') {
      if (takers.others === undefined) return this.#leave('topic: not the journal of a device');
      if (read.report !== undefined) await takers.others.connection(read.report);
      return 'committed';
    }
    const { message } = read;
    if (message.payload.byteLength > this.#queue.maxMessageBytes)
      return this.#leave('payload: larger than a device can send');
    if (message.channel === 'journal') return takers.journal({ ...message, isUnordered: true });
    if (takers.others === undefined) return this.#leave('topic: not the journal of a device');
    await takers.others.up(message);
    return 'committed';
  }

  #leave(fault: string): QueueOutcome {
    const text = 'message in the device queue is not from a device; left in the queue';
    this.#warn(new Error(fault), text);
    return 'unreadable';
  }

  /** At most every ten seconds: a full queue would repeat it a thousand times. */
  #warn(error: unknown, message: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastWarningMs < LOG_QUIET_MS) return;
    this.#lastWarningMs = nowMs;
    this.#deps.logger.warn({ err: error }, message);
  }
}

/** A message that is delivered again is old because it waits for another one, not for this server. */
function ageOf(received: readonly QueuedMessage[]): number {
  const sentMs = received
    .filter(({ deliveries }) => deliveries === 1)
    .map(({ sentAt }) => sentAt.getTime());
  return sentMs.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...sentMs));
}
