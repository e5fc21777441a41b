/** Sockets that were closed immediately after they were accepted. */
export interface RejectedSocketFacts {
  readonly count: number;
  /** The first of these addresses; IPv6 as /64. */
  readonly addresses: readonly string[];
}

const REPORT_EVERY_MS = 60_000;
const MAX_ADDRESSES = 20;

/** Reports rejected sockets at most once a minute. */
export class RejectedSockets {
  readonly #report: (facts: RejectedSocketFacts) => void;
  #count = 0;
  readonly #addresses = new Set<string>();

  constructor(report: (facts: RejectedSocketFacts) => void) {
    this.#report = report;
  }

  count(address: string): void {
    if (this.#count === 0) setTimeout(() => this.#reportAll(), REPORT_EVERY_MS).unref();
    this.#count += 1;
    if (this.#addresses.size < MAX_ADDRESSES) this.#addresses.add(address);
  }

  #reportAll(): void {
    this.#report({ count: this.#count, addresses: [...this.#addresses] });
    this.#count = 0;
    this.#addresses.clear();
  }
}
