/** The subject of an id token; empty for what is none. */
export function subjectOf(idToken: string): string {
  try {
    const payload = (idToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return String((JSON.parse(atob(payload)) as { readonly sub?: unknown }).sub ?? '');
  } catch {
    return '';
  }
}
