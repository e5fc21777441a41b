import { countWatched, type WatchedDevices } from '../devices/data/search/watched-devices.ts';
import type { Executor } from '../platform/database/database.ts';

interface Sized {
  /** Equal for sets of the same devices. */
  readonly setKey: string;
  readonly watched: WatchedDevices;
}

interface Known {
  readonly total: number;
  readonly untilMs: number;
}

const KEPT_MS = 60_000;
/** A count that takes long is repeated less often. */
const REST_FACTOR = 20;
/** Sets that are counted in one pass. */
const AT_ONCE = 100;

/**
 * The sizes of sets of devices, which change slowly and would cost a pass over the fleet with each evaluation. Counted
 * again after a minute.
 */
export class TotalsOfSets {
  readonly #known = new Map<string, Known>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @returns by the key of the set */
  async of(on: Executor, sets: readonly Sized[]): Promise<ReadonlyMap<string, number>> {
    const startMs = this.#now();
    for (const [key, { untilMs }] of this.#known) if (untilMs <= startMs) this.#known.delete(key);
    const unknown = [...new Map(sets.map((set) => [set.setKey, set])).values()].filter(
      ({ setKey }) => !this.#known.has(setKey),
    );
    for (let first = 0; first < unknown.length; first += AT_ONCE) {
      const some = unknown.slice(first, first + AT_ONCE);
      const countedMs = this.#now();
      const totals = await countWatched(
        on,
        some.map(({ watched }) => watched),
      );
      const nowMs = this.#now();
      const untilMs = nowMs + Math.max(KEPT_MS, (nowMs - countedMs) * REST_FACTOR);
      for (const [index, { setKey }] of some.entries()) {
        this.#known.set(setKey, { total: totals[index] ?? 0, untilMs });
      }
    }
    return new Map(sets.map(({ setKey }) => [setKey, this.#known.get(setKey)?.total ?? 0]));
  }
}
