import { WEB_PAGE_WAITING } from '@deviceportal/contract/web-pages';
import { WEB_PAGE_STREAMS } from '@deviceportal/device-protocol/web-page-message';

type Release = () => void;

interface Slots {
  used: number;
  readonly waiting: ((release: Release | undefined) => void)[];
}

/** How many requests of a session are forwarded at the same time. Some more wait for their turn. */
export class SessionSlots {
  readonly #sessions = new Map<string, Slots>();

  /** Resolves with the function that gives the slot back; undefined if too many wait, or the session ends. */
  async take(session: string): Promise<Release | undefined> {
    const slots = this.#sessions.get(session) ?? { used: 0, waiting: [] };
    this.#sessions.set(session, slots);
    if (slots.used < WEB_PAGE_STREAMS) {
      slots.used += 1;
      return this.#releaseOf(session, slots);
    }
    if (slots.waiting.length >= WEB_PAGE_WAITING) return undefined;
    return new Promise((resolve) => {
      slots.waiting.push(resolve);
    });
  }

  /** Nothing of the session waits any longer. */
  end(session: string): void {
    const waiting = this.#sessions.get(session)?.waiting.splice(0) ?? [];
    for (const resolve of waiting) resolve(undefined);
  }

  #releaseOf(session: string, slots: Slots): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = slots.waiting.shift();
      if (next !== undefined) return next(this.#releaseOf(session, slots));
      slots.used -= 1;
      if (slots.used === 0) this.#sessions.delete(session);
    };
  }
}
