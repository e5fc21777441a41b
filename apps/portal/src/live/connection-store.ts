import { create } from 'zustand';

interface Connection {
  readonly offline: boolean;
  /** When the server last answered, by this machine's clock. */
  readonly answeredAtMs: number;
}

/** When the server last answered, which draws nothing anew by itself. */
let answeredAtMs = Date.now();
const useOffline = create<{ readonly offline: boolean }>(() => ({ offline: false }));

/**
 * The server answered: whatever was wrong with the connection is over, unless the browser has gone offline since
 * and this answer was under way before.
 */
export function connectionAnswered(): void {
  answeredAtMs = Date.now();
  if (useOffline.getState().offline && navigator.onLine) useOffline.setState({ offline: false });
}

export function connectionLost(): void {
  if (!useOffline.getState().offline) useOffline.setState({ offline: true });
}

export function useConnection(): Connection {
  const { offline } = useOffline();
  return { offline, answeredAtMs };
}
