import { useSyncExternalStore } from 'react';

let offsetMs = 0;

/** Takes over the server's clock from an answer that carries it. */
export function setServerNow(serverNow: string, receivedAtMs: number = Date.now()): void {
  const atMs = Date.parse(serverNow);
  if (Number.isFinite(atMs)) offsetMs = atMs - receivedAtMs;
}

/** Now by the server's clock: countdowns and "2 minutes ago" must not trust the machine in front of a person. */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}

/** A moment of the server's clock on this machine's, for showing it beside local times. */
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

/** The server's now, renewed every ten seconds by one timer for the whole page. */
export function useServerNow(): number {
  useSyncExternalStore(
    subscribe,
    () => tick,
    () => tick,
  );
  return serverNowMs();
}
