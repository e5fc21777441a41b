/** Sockets that were ended as soon as they were accepted. */
export interface TurnedAwayFacts {
  readonly count: number;
  /** The first of them; IPv6 as /64. */
  readonly addresses: readonly string[];
}

const TELL_EVERY_MS = 60_000;
const MAX_ADDRESSES = 20;

/** Tells at most once a minute. */
export class TurnedAway {
  readonly #tell: (facts: TurnedAwayFacts) => void;
  #count = 0;
  readonly #addresses = new Set<string>();

  constructor(tell: (facts: TurnedAwayFacts) => void) {
    this.#tell = tell;
  }

  count(address: string): void {
    if (this.#count === 0) setTimeout(() => this.#tellAll(), TELL_EVERY_MS).unref();
    this.#count += 1;
    if (this.#addresses.size < MAX_ADDRESSES) this.#addresses.add(address);
  }

  #tellAll(): void {
    this.#tell({ count: this.#count, addresses: [...this.#addresses] });
    this.#count = 0;
    this.#addresses.clear();
  }
}
