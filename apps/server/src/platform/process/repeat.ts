export interface RepeatOptions {
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** The golden ratio spreads any number of steps evenly. */
const STEP = 0.618;
let started = 0;

/**
 * Repeats the work without overlap. Disposing waits for the current round. Work that is started at the same time is not due
 * at the same time: every connection that is used at the same time costs the database 8 MB.
 */
export function repeat(
  work: () => Promise<void>,
  { everyMs, onError }: RepeatOptions,
): AsyncDisposable {
  let round: Promise<void> | undefined;
  const begin = (): void => {
    round ??= work()
      .catch(onError)
      .finally(() => {
        round = undefined;
      });
  };
  started += 1;
  let timer = setTimeout(
    () => {
      timer = setInterval(begin, everyMs).unref();
      begin();
    },
    everyMs * (0.5 + ((started * STEP) % 1) / 2),
  ).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await round;
    },
  };
}
