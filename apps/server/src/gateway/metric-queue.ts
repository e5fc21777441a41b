import type { MetricMessage } from '@deviceportal/device-protocol/metric-message';

export interface MetricDelivery {
  readonly deviceId: string;
  readonly message: MetricMessage;
  /** Values and times of the message. */
  readonly size: number;
}

interface MetricQueueOptions {
  /** Longest time to gather a batch, in milliseconds. */
  readonly waitMs: number;
  readonly batchSize?: number;
  readonly mostBytes?: number;
  /** Called with one batch at a time. Must not throw. */
  readonly handle: (deliveries: readonly MetricDelivery[]) => Promise<void>;
}

const BATCH_MESSAGES = 5_000;
/** Values and times of a batch: about 3,000 messages of five samples, or 26 of the largest messages. */
const BATCH_SIZE = 200_000;
/** Of all messages that are queued or being stored, decoded: about 100,000 of five samples. */
const MOST_BYTES = 256 * 1_024 * 1_024;
const BYTES_PER_NUMBER = 8;
const BYTES_PER_MESSAGE = 2_048;

interface Queued {
  readonly delivery: MetricDelivery;
  readonly done: () => void;
}

/**
 * Gathers messages for a short time and passes them on in batches, one after the other. Holds the
 * newest message of each device: a device sends one at a time, and again what is not acknowledged.
 */
export class MetricQueue implements AsyncDisposable {
  readonly #options: MetricQueueOptions;
  readonly #queued = new Map<string, Queued>();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  /** Of the queued messages. */
  #size = 0;
  #bytes = 0;

  constructor(options: MetricQueueOptions) {
    this.#options = options;
  }

  /** Whether there is room for a message of this size. */
  hasRoom(size: number): boolean {
    return this.#bytes + bytesOf({ size }) <= (this.#options.mostBytes ?? MOST_BYTES);
  }

  /** Resolves when the message has been handled or replaced. */
  add(delivery: MetricDelivery): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const replaced = this.#queued.get(delivery.deviceId);
    if (replaced !== undefined) {
      this.#size -= replaced.delivery.size;
      this.#finish(replaced);
    }
    // Keeps the place of the message that it replaces.
    this.#queued.set(delivery.deviceId, { delivery, done: resolve });
    this.#size += delivery.size;
    this.#bytes += bytesOf(delivery);
    const isFull = this.#size >= this.#batchSize || this.#queued.size >= BATCH_MESSAGES;
    if (isFull) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#options.waitMs);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#flush();
    while (this.#working) await this.#working;
  }

  get #batchSize(): number {
    return this.#options.batchSize ?? BATCH_SIZE;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#working || this.#queued.size === 0) return;
    const batch = this.#takeBatch();
    this.#working = this.#options.handle(batch.map(({ delivery }) => delivery)).finally(() => {
      this.#working = undefined;
      for (const queued of batch) this.#finish(queued);
      if (this.#queued.size > 0) this.#flush();
    });
  }

  #takeBatch(): readonly Queued[] {
    const batch: Queued[] = [];
    let size = 0;
    for (const [deviceId, queued] of this.#queued) {
      if (size >= this.#batchSize || batch.length >= BATCH_MESSAGES) break;
      this.#queued.delete(deviceId);
      batch.push(queued);
      size += queued.delivery.size;
    }
    this.#size -= size;
    return batch;
  }

  #finish({ delivery, done }: Queued): void {
    this.#bytes -= bytesOf(delivery);
    done();
  }
}

const bytesOf = ({ size }: Pick<MetricDelivery, 'size'>): number =>
  BYTES_PER_MESSAGE + size * BYTES_PER_NUMBER;
