import type { IdentityClient } from '../core/identity-client.ts';
import { localError } from '../core/report.ts';
import { asRecord } from '../core/send.ts';

/**
 * The id of the current user, or of the user that the token identifies. Throws if no user is signed
 * in.
 */
export function requireUserId(client: IdentityClient): string {
  const known = client.session.getUser()?.id;
  if (known) return known;
  const token = client.session.getToken();
  if (token === null) {
    throw localError(client, 'NOT_SIGNED_IN', { zh: '请先登录！', en: 'Please log in first' });
  }
  const claims = readClaims(token);
  const id = claims['sub'] ?? asRecord(claims['data'])['id'];
  if (typeof id === 'string' && id !== '') return id;
  throw localError(client, 'NOT_SIGNED_IN', {
    zh: '不合法的 accessToken',
    en: 'The access token does not identify a user',
  });
}

/** The unverified claims of a token. Only the provider can verify them. */
export function readClaims(token: string): Readonly<Record<string, unknown>> {
  try {
    const part = token.split('.')[1] ?? '';
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    return asRecord(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
