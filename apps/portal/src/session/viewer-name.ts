let name = '';

/** Kept outside the viewer's provider, so that whoever signs in again finds the name filled in. */
export function setViewerName(username: string): void {
  name = username;
}

export function useViewerName(): string {
  return name;
}
