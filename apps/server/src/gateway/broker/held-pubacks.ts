/** Longer than a commit takes. A PUBACK promises nothing, and the packets behind it must not wait for the database. */
const LONGEST_HOLD_MS = 250;

/**
 * Holds the PUBACKs of journal messages until the acknowledgement that follows the commit, so that both leave in one
 * TLS record and need one write and one read for two packets. In the meantime the broker reads nothing further from
 * that device, which limits the device to the throughput of the database.
 */
export class HeldPubacks {
  /** Held since the last round of the timer, and from the round before; the latter are released next. */
  #held: readonly [Held, Held] = [new Map(), new Map()];
  #isTimed = false;

  hold(deviceId: string, send: () => void): void {
    const [young] = this.#held;
    const own = young.get(deviceId);
    if (own) own.push(send);
    else young.set(deviceId, [send]);
    this.#schedule();
  }

  release(deviceId: string): void {
    for (const held of this.#held.toReversed()) {
      const own = held.get(deviceId);
      held.delete(deviceId);
      for (const send of own ?? []) send();
    }
  }

  #schedule(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    setTimeout(() => this.#sweep(), LONGEST_HOLD_MS / 2);
  }

  #sweep(): void {
    const [young, due] = this.#held;
    this.#held = [new Map(), young];
    this.#isTimed = false;
    if (young.size > 0) this.#schedule();
    for (const own of due.values()) for (const send of own) send();
  }
}

type Held = Map<string, (() => void)[]>;
