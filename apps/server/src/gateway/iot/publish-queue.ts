import type { IotPublisher } from '../../platform/aws/aws-package.ts';
import type { GatewayLogger } from '../gateway-logger.ts';

export interface PublishQueueOptions {
  readonly publisher: Pick<IotPublisher, 'publish'>;
  readonly logger: GatewayLogger;
  /** Called for each message that is dropped. */
  readonly onDropped: () => void;
  readonly limits?: PublishLimits;
}

export interface PublishLimits {
  /** Calls at once. */
  readonly concurrency: number;
  readonly waitingMessages: number;
  readonly waitingCharacters: number;
}

interface Outgoing {
  readonly topic: string;
  readonly payload: string;
  readonly qos: 0 | 1;
}

/** One call takes about 20 ms, so that this is about 2,500 messages per second. */
const LIMITS: PublishLimits = {
  concurrency: 50,
  waitingMessages: 100_000,
  waitingCharacters: 128 * 1024 * 1024,
};
const LOG_QUIET_MS = 10_000;

/**
 * Sends messages to devices by calls of AWS IoT, some at a time, while the others wait. The client repeats a call that
 * was throttled or failed, more slowly each time. Beyond the limits, messages are dropped, as they are for a device that
 * is not connected: commands are sent again until a device confirms them.
 */
export class PublishQueue implements AsyncDisposable {
  readonly #options: PublishQueueOptions;
  readonly #limits: PublishLimits;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #waiting: Outgoing[] = [];
  /** The position of the first waiting message; those before it have been taken. */
  #first = 0;
  #waitingCharacters = 0;
  #lastWarningMs = Number.NEGATIVE_INFINITY;

  constructor(options: PublishQueueOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
  }

  add(message: Outgoing): void {
    const { waitingMessages, waitingCharacters } = this.#limits;
    if (this.#stop.signal.aborted) return;
    if (
      this.#waiting.length - this.#first >= waitingMessages ||
      this.#waitingCharacters + message.payload.length > waitingCharacters
    ) {
      this.#drop(new Error('too many messages are waiting'));
      return;
    }
    this.#waiting.push(message);
    this.#waitingCharacters += message.payload.length;
    this.#fill();
  }

  /** Sends no more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#waiting = [];
    await Promise.all(this.#running);
  }

  #fill(): void {
    while (this.#running.size < this.#limits.concurrency) {
      const message = this.#next();
      if (message === undefined) return;
      const sent = this.#send(message).finally(() => {
        this.#running.delete(sent);
        this.#fill();
      });
      this.#running.add(sent);
    }
  }

  #next(): Outgoing | undefined {
    const message = this.#waiting[this.#first];
    if (message === undefined) return undefined;
    this.#first += 1;
    this.#waitingCharacters -= message.payload.length;
    if (this.#first * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    return message;
  }

  async #send(message: Outgoing): Promise<void> {
    const { signal } = this.#stop;
    try {
      await this.#options.publisher.publish(message, signal);
    } catch (error) {
      if (!signal.aborted) this.#drop(error);
    }
  }

  #drop(error: unknown): void {
    const { logger, onDropped } = this.#options;
    onDropped();
    const nowMs = performance.now();
    if (nowMs - this.#lastWarningMs < LOG_QUIET_MS) return;
    this.#lastWarningMs = nowMs;
    logger.warn({ err: error }, 'message to a device dropped');
  }
}
