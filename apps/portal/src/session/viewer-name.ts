let name = '';

/**
 * Stored outside the session provider, so that the name is filled in when the user signs in again.
 */
export function setViewerName(username: string): void {
  name = username;
}

export function useViewerName(): string {
  return name;
}
