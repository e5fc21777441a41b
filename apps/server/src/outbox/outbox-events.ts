/** Notifies open outbox pages of new messages. */
export interface OutboxEvents {
  emit(): void;
  /** @returns a function that ends the subscription */
  listen(listener: () => void): () => void;
}

export function createOutboxEvents(): OutboxEvents {
  const listeners = new Set<() => void>();
  return {
    emit() {
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
