/** A counting semaphore with a FIFO queue. */
export class Slots {
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  readonly #count: number;

  constructor(count: number, mostWaiting = Number.POSITIVE_INFINITY) {
    this.#count = count;
    this.#free = count;
    this.#mostWaiting = mostWaiting;
  }

  /** @returns whether a slot was acquired in time; call `give` afterwards if so */
  take(maxWaitMs?: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    if (this.#waiting.size >= this.#mostWaiting) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
    const start = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    const waiting = this.#waiting;
    function giveUp(): void {
      waiting.delete(start);
      resolve(false);
    }
    waiting.add(start);
    return promise;
  }

  get taken(): number {
    return this.#count - this.#free;
  }

  giveAfter(milliseconds: number): void {
    if (milliseconds > 0) setTimeout(() => this.give(), milliseconds).unref();
    else this.give();
  }

  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
