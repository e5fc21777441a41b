/** Storage for the session: `localStorage`, or any object with these three methods. */
export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** In-memory storage. It is lost with the client. */
export function createMemoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/**
 * The page's `localStorage`. In-memory storage in workers, in Node, and where the browser denies
 * access to storage.
 */
export function defaultStorage(): KeyValueStorage {
  try {
    const found = globalThis.window?.localStorage;
    return found ?? createMemoryStorage();
  } catch {
    return createMemoryStorage();
  }
}
