import type { Clock } from '../clock.ts';
import type { ScheduledKey } from './key-schedule.ts';

/** How long a reading counts. Far less than a new key is published before it signs, so no server misses it. */
const READING_COUNTS_MS = 30_000;
/** Minimum interval of lookups for unknown keys, so that forged tokens cannot load the database. */
export const UNKNOWN_KEY_PAUSE_MS = 5_000;

type Opened<Parts> = ScheduledKey & Parts;

/**
 * The current keys in the database, because other servers can rotate them. Each key is opened once.
 * @returns a function whose argument is the maximum age of the cached keys in milliseconds
 */
export function createKeyReading<Stored extends ScheduledKey, Parts extends object>(options: {
  readonly clock: Clock;
  read(): Promise<readonly Stored[]>;
  open(stored: Stored): Promise<Parts>;
}): (maxAgeMs?: number) => Promise<readonly Opened<Parts>[]> {
  const { clock } = options;
  const opened = new Map<string, Promise<Parts>>();
  let reading: { readonly keys: readonly Opened<Parts>[]; readonly readAtMs: number } | undefined;
  let running: Promise<readonly Opened<Parts>[]> | undefined;

  async function readNow(): Promise<readonly Opened<Parts>[]> {
    const stored = await options.read();
    const kids = new Set(stored.map(({ kid }) => kid));
    for (const kid of opened.keys()) if (!kids.has(kid)) opened.delete(kid);
    const keys = await Promise.all(
      stored.map(async (key) => {
        const known = opened.get(key.kid) ?? options.open(key);
        opened.set(key.kid, known);
        const { kid, use, signsFrom, longestTokenSeconds } = key;
        return { ...(await known), kid, use, signsFrom, longestTokenSeconds };
      }),
    );
    reading = { keys, readAtMs: clock.now() };
    return keys;
  }

  return async (maxAgeMs = READING_COUNTS_MS) => {
    const ageMs = reading === undefined ? Infinity : Math.abs(clock.now() - reading.readAtMs);
    if (reading !== undefined && ageMs < maxAgeMs) return reading.keys;
    running ??= readNow().finally(() => (running = undefined));
    return running;
  };
}
