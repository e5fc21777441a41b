import type { Scope } from '@deviceportal/contract/permissions';

/**
 * News that many hear alike, such as events of the whole fleet: counted once, however many listen. Each listener
 * remembers the total up to which it was told.
 */
export class SharedNews<Listener> {
  /** Events of devices in these scopes only; null counts all of them. */
  readonly scopes: readonly Scope[] | null;
  total = 0;
  /** Devices of which it is not known yet whether they are in scope. */
  pending = new Set<string>();
  readonly #listeners = new Set<Listener>();
  #isAnnounced = false;

  constructor(scopes: readonly Scope[] | null) {
    this.scopes = scopes;
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  /** Who must be told of it; nobody as long as all have been. */
  announce(): Iterable<Listener> {
    if (this.#isAnnounced) return [];
    this.#isAnnounced = true;
    return this.#listeners;
  }

  /** From now on further news are announced again. */
  heard(): void {
    this.#isAnnounced = false;
  }
}

/** What one listener has heard of shared news. */
export class NewsMark<Listener> {
  readonly news: SharedNews<Listener>;
  #told: number;

  constructor(news: SharedNews<Listener>) {
    this.news = news;
    this.#told = news.total;
  }

  get hasMore(): boolean {
    return this.news.pending.size > 0 || this.news.total > this.#told;
  }

  /** How many came since the last call. */
  take(): number {
    this.news.heard();
    const count = this.news.total - this.#told;
    this.#told = this.news.total;
    return count;
  }
}
