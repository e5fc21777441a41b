export interface RepeatOptions {
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Repeats the work without overlap. Disposing waits for the current round. */
export function repeat(
  work: () => Promise<void>,
  { everyMs, onError }: RepeatOptions,
): AsyncDisposable {
  let round: Promise<void> | undefined;
  const timer = setInterval(() => {
    round ??= work()
      .catch(onError)
      .finally(() => {
        round = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await round;
    },
  };
}
