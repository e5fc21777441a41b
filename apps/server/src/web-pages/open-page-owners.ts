import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { findWebPage } from './data/web-page-queries.ts';

/** How long a session counts as open before it is read again. */
const KNOWN_MS = 5_000;
/** Questions about sessions that are not known, per device. */
const UNKNOWN_QUOTA = { burst: 20, perSecond: 2 } as const;
const MOST = 2_000;

/**
 * Which device serves each open session. A device that names sessions which are not its own costs a few
 * statements, and nothing of it is passed on.
 */
export class OpenPageOwners implements Disposable {
  readonly #database: Pick<Database, 'orm'>;
  readonly #known = new Map<string, { readonly deviceId: string; untilMs: number }>();
  readonly #asked = new Map<string, Promise<boolean>>();
  readonly #quota = new TokenBuckets(UNKNOWN_QUOTA);
  readonly #subscription: Disposable;

  constructor(database: Pick<Database, 'orm'>, changes: ChangeFeed) {
    this.#database = database;
    this.#subscription = changes.subscribe((change) => {
      if (change.kind === 'web-page-ended') this.#known.delete(change.sessionId);
    });
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  /** Without a wait for a known session, so that its messages stay in order. */
  isOpen(deviceId: string, session: string): boolean | Promise<boolean> {
    const known = this.#known.get(session);
    if (known?.deviceId !== deviceId) return this.#ask(deviceId, session);
    if (known.untilMs < performance.now()) {
      known.untilMs = performance.now() + KNOWN_MS;
      // A failed read is repeated after that time.
      this.#read(deviceId, session).catch(() => {});
    }
    return true;
  }

  #ask(deviceId: string, session: string): boolean | Promise<boolean> {
    const key = `${deviceId}/${session}`;
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    if (!this.#quota.of(deviceId).take()) return false;
    const answer = this.#read(deviceId, session).finally(() => this.#asked.delete(key));
    this.#asked.set(key, answer);
    return answer;
  }

  async #read(deviceId: string, session: string): Promise<boolean> {
    const row = await findWebPage(this.#database.orm, session);
    if (row === undefined || row.deviceId !== deviceId || row.state === 'ended') {
      if (this.#known.get(session)?.deviceId === deviceId) this.#known.delete(session);
      return false;
    }
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(session, { deviceId, untilMs: performance.now() + KNOWN_MS });
    return true;
  }
}
