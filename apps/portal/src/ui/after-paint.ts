/** Runs `work` after the current render is painted. Returns a function that cancels it. */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Milliseconds after which work no longer waits until the browser is idle. */
const LONGEST_WAIT_MS = 1_500;

/** Runs `work` when the browser has nothing else to do, so that it delays no input. */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function')
    requestIdleCallback(work, { timeout: LONGEST_WAIT_MS });
  else setTimeout(work, LONGEST_WAIT_MS / 10);
}
