const KEY = 'deviceportal.subject';

/** Whose tokens this browser holds, where every tab sees it at once. Null: nobody's, or there is no storage. */
export function storedSubject(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function storeSubject(subject: string | null): void {
  try {
    if (subject === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, subject);
  } catch {
    // Tabs then learn of each other by their messages alone.
  }
}
