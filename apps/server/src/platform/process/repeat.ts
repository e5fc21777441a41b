export interface RepeatOptions {
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Does the work again and again, never twice at once; disposing waits for the round under way. */
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
