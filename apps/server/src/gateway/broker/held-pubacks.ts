/** Longer than a commit takes: a PUBACK promises nothing, and what stands behind it must not wait for a database. */
const LONGEST_HOLD_MS = 250;

/**
 * PUBACKs of journal messages that wait for our own acknowledgement, which follows the commit: both leave in one TLS
 * record, so that a device and its broker write and read once for two packets. Meanwhile the broker reads no more
 * from that device, which also slows a device down to what the database takes.
 */
export class HeldPubacks {
  /** Since the last round of the timer; and from the round before, which go with the next. */
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
