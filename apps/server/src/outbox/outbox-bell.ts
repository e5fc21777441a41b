/** Tells open outbox pages that a message has come. */
export interface OutboxBell {
  ring(): void;
  /** @returns the way to stop listening */
  listen(onRing: () => void): () => void;
}

export function createOutboxBell(): OutboxBell {
  const listeners = new Set<() => void>();
  return {
    ring() {
      for (const listener of listeners) listener();
    },
    listen(onRing) {
      listeners.add(onRing);
      return () => void listeners.delete(onRing);
    },
  };
}
