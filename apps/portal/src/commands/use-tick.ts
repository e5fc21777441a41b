import { useEffect, useState } from 'react';
import { serverNowMs } from '../ui/time/server-clock.ts';

const TICK_MS = 1_000;

/** The time of the server in milliseconds, updated every second while `active`. */
export function useTick(active: boolean): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    if (!active) return undefined;
    const tick = (): void => setNowMs(serverNowMs());
    const first = setTimeout(tick);
    const timer = setInterval(tick, TICK_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [active]);
  return nowMs;
}
