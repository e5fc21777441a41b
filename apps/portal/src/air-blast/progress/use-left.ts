import { useEffect, useState } from 'react';
import { serverNowMs } from '../../ui/time/server-clock.ts';

/** How long until a moment of the server's clock, every second; 0 when it is past or unknown. */
export function useLeft(until: string | null): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return until === null ? 0 : Math.max(0, Date.parse(until) - nowMs);
}
