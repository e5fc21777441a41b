import { useSyncExternalStore } from 'react';

let offsetMs = 0;

/** Sets the server clock from a response that contains it. */
export function setServerNow(serverNow: string, receivedAtMs: number = Date.now()): void {
  const atMs = Date.parse(serverNow);
  if (Number.isFinite(atMs)) offsetMs = atMs - receivedAtMs;
}

/**
 * The current time of the server, for countdowns and relative times, because the local clock can be
 * wrong.
 */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}

/** Converts a time of the server clock to the local clock, for display next to local times. */
export function localMs(serverMs: number): number {
  return serverMs - offsetMs;
}

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let tick = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    tick += 1;
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The current time of the server, updated every ten seconds by one timer for the whole page. */
export function useServerNow(): number {
  useSyncExternalStore(
    subscribe,
    () => tick,
    () => tick,
  );
  return serverNowMs();
}
