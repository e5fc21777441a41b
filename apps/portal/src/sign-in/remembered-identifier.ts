const KEY = 'deviceportal.identifier';

/** The identifier stored in this browser, if the user chose that. Empty otherwise. */
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
    // Storage is optional.
  }
}
