const RESOLUTION_MS = 5;

/**
 * The result of `work`, and the longest time for which this thread computed without serving others,
 * in milliseconds. Processor time is measured instead of elapsed time, so that other programs on the
 * machine have no effect.
 */
export async function longestTurnDuring<Result>(
  work: () => Promise<Result>,
): Promise<[result: Result, longestMs: number]> {
  let longestMs = 0;
  let since = process.threadCpuUsage();
  const endTurn = (): void => {
    const { user, system } = process.threadCpuUsage(since);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    since = process.threadCpuUsage();
  };
  const timer = setInterval(endTurn, RESOLUTION_MS);
  try {
    const result = await work();
    endTurn();
    return [result, longestMs];
  } finally {
    clearInterval(timer);
  }
}
