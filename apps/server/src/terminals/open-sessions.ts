import type { Database } from '../platform/database/database.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { findTerminal } from './data/terminal-queries.ts';

/** How long a session counts as open after it was read. */
const KNOWN_MS = 5_000;
/** Questions about sessions that are not known, per device. */
const UNKNOWN_QUOTA = { burst: 20, perSecond: 2 } as const;
const MOST = 2_000;

type Answer = 'open' | 'ended' | 'unchecked';

interface Known {
  readonly deviceId: string;
  readonly untilMs: number;
}

/**
 * Which sessions of devices are open. A device that names sessions which are not its own costs a few
 * statements, and nothing of it is passed on.
 */
export class OpenSessions {
  readonly #database: Pick<Database, 'orm'>;
  readonly #known = new Map<string, Known>();
  /** Questions that are being answered. */
  readonly #asked = new Map<string, Promise<Answer>>();
  readonly #quota = new TokenBuckets(UNKNOWN_QUOTA);

  constructor(database: Pick<Database, 'orm'>) {
    this.#database = database;
  }

  /** `unchecked` for a device that asks too often. */
  async find(deviceId: string, session: string): Promise<Answer> {
    const known = this.#known.get(session);
    if (known?.deviceId === deviceId && known.untilMs > performance.now()) return 'open';
    const key = `${deviceId}/${session}`;
    const asked = this.#asked.get(key);
    // Only the first one learns that a session has ended, and answers the device.
    if (asked !== undefined) return (await asked) === 'open' ? 'open' : 'unchecked';
    if (!this.#quota.of(deviceId).take()) return 'unchecked';
    const answer = this.#read(deviceId, session).finally(() => this.#asked.delete(key));
    this.#asked.set(key, answer);
    return answer;
  }

  async #read(deviceId: string, session: string): Promise<Answer> {
    const row = await findTerminal(this.#database.orm, session);
    if (row === undefined || row.deviceId !== deviceId || row.state === 'ended') {
      this.#known.delete(session);
      return 'ended';
    }
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(session, { deviceId, untilMs: performance.now() + KNOWN_MS });
    return 'open';
  }
}
