import type { WebSocket } from 'ws';
import type { StoredEvent } from './event-store.ts';

/** An open socket of a person for one name of event. */
export interface Subscription {
  readonly userId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly socket: WebSocket;
}

/** A client that does not read is cut off before its messages fill the memory. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const REMEMBERED_IDS = 10_000;

/** Subscriptions of this server. */
export class Subscriptions {
  readonly #byUser = new Map<string, Set<Subscription>>();
  /** Ids that were delivered, oldest first: after a break events may be read twice. */
  readonly #delivered = new Set<number>();

  add(subscription: Subscription): void {
    const others = this.#byUser.get(subscription.userId) ?? new Set();
    this.#byUser.set(subscription.userId, others.add(subscription));
  }

  remove(subscription: Subscription): void {
    const others = this.#byUser.get(subscription.userId);
    others?.delete(subscription);
    if (others?.size === 0) this.#byUser.delete(subscription.userId);
  }

  countOf(userId: string): number {
    return this.#byUser.get(userId)?.size ?? 0;
  }

  all(): Subscription[] {
    return [...this.#byUser.values()].flatMap((subscriptions) => [...subscriptions]);
  }

  userIds(): string[] {
    return [...this.#byUser.keys()];
  }

  get isEmpty(): boolean {
    return this.#byUser.size === 0;
  }

  deliver({ id, userId, name, data }: StoredEvent): void {
    if (this.#delivered.has(id)) return;
    this.#delivered.add(id);
    const [oldest] = this.#delivered;
    if (oldest !== undefined && this.#delivered.size > REMEMBERED_IDS) {
      this.#delivered.delete(oldest);
    }
    for (const { name: wanted, socket } of this.#byUser.get(userId) ?? []) {
      if (wanted !== name) continue;
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
      else socket.send(data);
    }
  }
}
