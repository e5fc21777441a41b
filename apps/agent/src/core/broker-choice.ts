import type { Identity } from '../store/identity-file.ts';

export interface BrokerChoiceOptions {
  readonly identity: () => Pick<Identity, 'brokerUrl' | 'connection'>;
  /** Given by the operator of the machine, instead of those of the server. */
  readonly given?: readonly string[] | undefined;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/**
 * Chooses among the brokers of the device. The first one is random, so that a fleet is spread over
 * all. After a failure, every other broker is tried in random order before one is tried again.
 */
export class BrokerChoice {
  readonly #options: BrokerChoiceOptions;
  readonly #failed = new Set<string>();
  #current = '';

  constructor(options: BrokerChoiceOptions) {
    this.#options = options;
  }

  /** The broker for the next connection. */
  next(): string {
    const all = this.#all();
    if (!all.includes(this.#current)) this.#current = '';
    if (this.#current === '' || this.#failed.has(this.#current)) this.#current = this.#pick(all);
    return this.#current;
  }

  /** The broker was not reached, or its connection was lost. */
  failed(url: string): void {
    this.#failed.add(url);
  }

  /** A connection has proved stable. */
  worked(): void {
    this.#failed.clear();
  }

  #pick(all: readonly string[]): string {
    if (all.every((url) => this.#failed.has(url))) {
      const last = this.#current;
      this.#failed.clear();
      if (all.length > 1) this.#failed.add(last);
    }
    const remaining = all.filter((url) => !this.#failed.has(url));
    const announced = remaining.filter((url) => this.#announced().includes(url));
    const open = announced.length > 0 ? announced : remaining;
    return open[Math.floor(this.#options.random() * open.length)] ?? all[0] ?? '';
  }

  /** The last broker that worked is tried last, in case the server announced wrong ones. */
  #all(): readonly string[] {
    const { identity, given } = this.#options;
    return given === undefined
      ? [...new Set([...this.#announced(), identity().brokerUrl])]
      : this.#announced();
  }

  #announced(): readonly string[] {
    const { identity, given } = this.#options;
    return given ?? identity().connection?.brokerUrls ?? [];
  }
}
