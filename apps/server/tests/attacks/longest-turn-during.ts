const RESOLUTION_MS = 5;
/** The median time of `compute` on the machine for which the limits of these tests were set. */
const USUAL_MS = 10;
const REPETITIONS = 9;

/**
 * The result of `work`, and the longest time for which this thread computed without serving others,
 * in milliseconds of a machine of usual speed. Processor time is measured instead of elapsed time,
 * so that other programs have no effect, and divided by how slow this machine is at the moment.
 */
export async function longestTurnDuring<Result>(
  work: () => Promise<Result>,
): Promise<[result: Result, longestMs: number]> {
  let longestMs = 0;
  let since = process.threadCpuUsage();
  const endTurn = (): void => {
    longestMs = Math.max(longestMs, computedSince(since));
    since = process.threadCpuUsage();
  };
  const timer = setInterval(endTurn, RESOLUTION_MS);
  try {
    const result = await work();
    endTurn();
    return [result, longestMs / slowness()];
  } finally {
    clearInterval(timer);
  }
}

const computedSince = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
};

/** At least 1, so that a limit also holds on a fast machine. */
function slowness(): number {
  const durations = Array.from({ length: REPETITIONS }, () => {
    const since = process.threadCpuUsage();
    compute();
    return computedSince(since);
  });
  const median = durations.toSorted((a, b) => a - b)[Math.floor(REPETITIONS / 2)] ?? 0;
  return Math.max(1, median / USUAL_MS);
}

const keys = Array.from({ length: 20_000 }, (_, index) => `key-${index.toString(36)}`);

/** Similar to what limits are for: a text that is parsed, looked up by key, and sorted. */
function compute(): void {
  const text = JSON.stringify(keys.map((key, index) => ({ key, index })));
  const entries = JSON.parse(text) as readonly { readonly key: string }[];
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  [...byKey.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
