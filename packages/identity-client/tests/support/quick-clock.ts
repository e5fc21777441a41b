import type { Clock } from '../../src/core/clock.ts';

/** Longer timers are request timeouts, which never fire here. */
const NEVER_MS = 10_000;

/** A clock whose timers fire in order, without delay. */
export function createQuickClock(): Clock {
  const timers = new Map<number, { readonly due: number; readonly act: () => void }>();
  let time = 0;
  let next = 0;
  const tick = (): void => {
    const [first] = [...timers].toSorted(([, a], [, b]) => a.due - b.due);
    if (!first) return;
    const [id, { due, act }] = first;
    timers.delete(id);
    time = Math.max(time, due);
    act();
  };
  return {
    now: () => time,
    setTimeout: (act, milliseconds) => {
      next += 1;
      if (milliseconds >= NEVER_MS) return next;
      timers.set(next, { due: time + milliseconds, act });
      setTimeout(tick, 2);
      return next;
    },
    clearTimeout: (id) => void timers.delete(id as number),
  };
}
