let live = false;
const listeners = new Set<() => void>();

export function setLive(connected: boolean): void {
  if (live === connected) return;
  live = connected;
  for (const listener of listeners) listener();
}

export function isLive(): boolean {
  return live;
}

export function onLiveChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
