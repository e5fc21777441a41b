const KEY = 'deviceportal.identifier';

/** Kept in this browser for those who asked for it; empty for nobody. */
export function rememberedIdentifier(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export function rememberIdentifier(identifier: string): void {
  try {
    if (identifier === '') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, identifier);
  } catch {
    // A convenience only.
  }
}
