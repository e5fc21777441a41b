/**
 * The path after sign-in: the `next` parameter if it is a path of this origin, otherwise the root.
 * `//host`, `/\host`, and URLs with a scheme would leave the portal.
 */
export function nextPath(searchString: string): string {
  const next = new URLSearchParams(searchString).get('next') ?? '/';
  if (!next.startsWith('/')) return '/';
  try {
    const base = 'https://portal.invalid';
    const url = new URL(next, base);
    const path = url.pathname + url.search + url.hash;
    return url.origin === base && !url.pathname.startsWith('/signin') && !path.startsWith('//')
      ? path
      : '/';
  } catch {
    return '/';
  }
}
