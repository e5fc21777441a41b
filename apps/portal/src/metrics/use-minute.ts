import { useEffect, useState } from 'react';
import { serverNowMs } from '../ui/time/server-clock.ts';

const MINUTE_MS = 60_000;

/** The server's time, renewed every minute while the page is shown. */
export function useMinute(): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNowMs(serverNowMs());
    }, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
