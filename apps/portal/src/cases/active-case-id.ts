const KEY = 'deviceportal.case';

/**
 * The case in which this browser sends requests, until the server responds otherwise. Known before
 * the first request of a page, and shared by all tabs.
 */
export function activeCaseId(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function setActiveCaseId(id: string | null): void {
  if (id === activeCaseId()) return;
  try {
    if (id === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, id);
  } catch {
    // Without storage, requests belong to no case until the first response.
  }
}

/**
 * Calls the listener when another tab enters, leaves, or closes a case. Returns an unsubscribe
 * function.
 */
export function onActiveCaseElsewhere(listener: () => void): () => void {
  const hear = (event: StorageEvent): void => {
    if (event.key === KEY) listener();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}
