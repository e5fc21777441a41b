/** The subject of an ID token. Empty if the token is invalid. */
export function subjectOf(idToken: string): string {
  try {
    const payload = (idToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return String((JSON.parse(atob(payload)) as { readonly sub?: unknown }).sub ?? '');
  } catch {
    return '';
  }
}
