const KEY = 'deviceportal.case';

/**
 * The case in which this browser's calls are made, until the server says otherwise: known before the first call of a
 * page, and the same in all its tabs.
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
    // A browser that keeps nothing binds nothing before the server's first answer.
  }
}

/** Tells when another tab has entered, left or closed a case. Answers a function that stops it. */
export function onActiveCaseElsewhere(listener: () => void): () => void {
  const hear = (event: StorageEvent): void => {
    if (event.key === KEY) listener();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}
