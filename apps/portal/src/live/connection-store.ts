import { create } from 'zustand';

interface Connection {
  readonly offline: boolean;
  /** The time of the last response, by the clock of this machine. */
  readonly answeredAtMs: number;
}

/** Kept outside the store, so that a response does not render anything. */
let answeredAtMs = Date.now();
const useOffline = create<{ readonly offline: boolean }>(() => ({ offline: false }));
/** Whether the page reports the lost connection above its content. */
const useReported = create<{ readonly isReported: boolean }>(() => ({ isReported: false }));

/**
 * Records a response of the server, which clears connection errors unless the browser has gone
 * offline after the request was sent.
 */
export function connectionAnswered(): void {
  answeredAtMs = Date.now();
  if (useOffline.getState().offline && navigator.onLine) useOffline.setState({ offline: false });
}

export function connectionLost(): void {
  if (!useOffline.getState().offline) useOffline.setState({ offline: true });
}

export function setConnectionLossReported(isReported: boolean): void {
  useReported.setState({ isReported });
}

export function useIsConnectionLossReported(): boolean {
  return useReported().isReported;
}

export function useConnection(): Connection {
  const { offline } = useOffline();
  return { offline, answeredAtMs };
}
