import { useSyncExternalStore } from 'react';

interface Connection {
  readonly offline: boolean;
  /** When the server last answered, by this machine's clock. */
  readonly answeredAtMs: number;
}

let connection: Connection = { offline: false, answeredAtMs: Date.now() };
const listeners = new Set<() => void>();

/**
 * The server answered: whatever was wrong with the connection is over, unless the browser has gone offline since
 * and this answer was under way before.
 */
export function connectionAnswered(): void {
  const wasOffline = connection.offline;
  const offline = wasOffline && navigator.onLine === false;
  connection = { offline, answeredAtMs: Date.now() };
  if (wasOffline && !offline) for (const listener of listeners) listener();
}

export function connectionLost(): void {
  if (connection.offline) return;
  connection = { ...connection, offline: true };
  for (const listener of listeners) listener();
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );
}
