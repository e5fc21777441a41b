const KEY = 'deviceportal.subject';

/**
 * The subject of the tokens in this browser, in storage that all tabs can read. Null without tokens
 * or storage.
 */
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
    // Without storage, tabs rely on their messages.
  }
}
