export interface MicroBatcherOptions<Item> {
  /** Longest time to gather a batch, in milliseconds. */
  readonly waitMs: number;
  readonly maxItems: number;
  /** Called with one batch at a time, in order of arrival. Must not throw. */
  readonly handle: (items: readonly Item[]) => Promise<void>;
}

/** Gathers items for a short time and passes them on in batches, one after the other. */
export class MicroBatcher<Item> implements AsyncDisposable {
  readonly #options: MicroBatcherOptions<Item>;
  #items: { readonly item: Item; readonly done: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #newest: Promise<void> = Promise.resolve();

  constructor(options: MicroBatcherOptions<Item>) {
    this.#options = options;
  }

  /** Resolves when the item's batch has been handled. */
  add(item: Item): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#items.push({ item, done: resolve });
    if (this.#items.length >= this.#options.maxItems) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#options.waitMs);
    this.#newest = promise;
    return promise;
  }

  /** Resolves when everything that was added before has been handled. */
  settled(): Promise<void> {
    return this.#newest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#flush();
    while (this.#working) await this.#working;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#working || this.#items.length === 0) return;
    const batch = this.#items.splice(0, this.#options.maxItems);
    this.#working = this.#options.handle(batch.map(({ item }) => item)).finally(() => {
      this.#working = undefined;
      for (const { done } of batch) done();
      if (this.#items.length > 0) this.#flush();
    });
  }
}
