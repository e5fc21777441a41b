/** Where a session is kept: `localStorage`, or anything with these three methods. */
export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** A storage that ends with the client it was made for. */
export function createMemoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** The page's storage; memory in workers, in Node and where the browser forbids storage. */
export function defaultStorage(): KeyValueStorage {
  try {
    const found = globalThis.window?.localStorage;
    return found ?? createMemoryStorage();
  } catch {
    return createMemoryStorage();
  }
}
