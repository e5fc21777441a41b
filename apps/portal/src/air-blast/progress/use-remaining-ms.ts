import { useEffect, useState } from 'react';
import { serverNowMs } from '../../ui/time/server-clock.ts';

/**
 * Milliseconds until a time of the server clock, updated every second. 0 if it has passed or is
 * unknown.
 */
export function useRemainingMs(until: string | null): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return until === null ? 0 : Math.max(0, Date.parse(until) - nowMs);
}
