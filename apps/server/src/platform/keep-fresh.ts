export interface KeepFreshOptions {
  /** Minimum cache lifetime. */
  readonly shortestAgeMs: number;
  /** Cache lifetime as a multiple of the computation time, so that recomputing never dominates. */
  readonly agePerDuration: number;
  readonly maxEntries: number;
}

interface Kept<Value> {
  readonly value: Promise<Value>;
  freshUntilMs: number;
}

/** Caches a computation by key, shared by all callers. */
export function keepFresh<Argument, Value>(
  compute: (argument: Argument) => Promise<Value>,
  options: KeepFreshOptions,
): (key: string, argument: Argument) => Promise<Value> {
  const kept = new Map<string, Kept<Value>>();
  return (key, argument) => {
    const found = kept.get(key);
    if (found !== undefined && found.freshUntilMs > performance.now()) return found.value;
    const startedMs = performance.now();
    const entry: Kept<Value> = { value: compute(argument), freshUntilMs: Infinity };
    void entry.value.then(
      () => {
        const now = performance.now();
        entry.freshUntilMs =
          now + Math.max(options.shortestAgeMs, (now - startedMs) * options.agePerDuration);
      },
      () => {
        if (kept.get(key) === entry) kept.delete(key);
      },
    );
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > options.maxEntries && oldest !== undefined) kept.delete(oldest);
    return entry.value;
  };
}

/** For counts over the whole fleet. */
export const fleetCounts: KeepFreshOptions = {
  shortestAgeMs: 5_000,
  agePerDuration: 20,
  maxEntries: 200,
};
