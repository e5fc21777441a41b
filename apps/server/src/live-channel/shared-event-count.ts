import type { Scope } from '@deviceportal/contract/permissions';

/**
 * Events shared by many viewers, such as those of the whole fleet: counted once for all. Each listener keeps the
 * total up to which it was notified.
 */
export class SharedEventCount<Listener> {
  /** Only events of devices in these scopes; null counts all of them. */
  readonly scopes: readonly Scope[] | null;
  total = 0;
  /** Devices for which it is not known yet whether they are in scope. */
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

  /** The listeners to notify; none while the last announcement is pending. */
  announce(): Iterable<Listener> {
    if (this.#isAnnounced) return [];
    this.#isAnnounced = true;
    return this.#listeners;
  }

  /** Further events are announced again. */
  rearm(): void {
    this.#isAnnounced = false;
  }
}

/** The total up to which one listener was notified. */
export class EventCursor<Listener> {
  readonly news: SharedEventCount<Listener>;
  #told: number;

  constructor(news: SharedEventCount<Listener>) {
    this.news = news;
    this.#told = news.total;
  }

  get hasMore(): boolean {
    return this.news.pending.size > 0 || this.news.total > this.#told;
  }

  /** Number of events since the last call. */
  take(): number {
    this.news.rearm();
    const count = this.news.total - this.#told;
    this.#told = this.news.total;
    return count;
  }
}
