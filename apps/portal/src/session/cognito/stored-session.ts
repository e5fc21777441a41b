import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { SESSION_REFRESH_LEAD_MS } from '@deviceportal/contract/constants';
import type { PortalSession } from '../session-keeper.ts';
import { toSession, type SessionToken } from '../to-session.ts';

/** Keys of Amplify’s token store. */
const PREFIX = 'CognitoIdentityServiceProvider';
const LAST_USER = 'LastAuthUser';

/**
 * The session that Amplify stored, without Amplify: a page starts with it before the library is loaded. Null without a
 * session, and undefined if the library must decide, because the tokens must be refreshed or are in another place.
 */
export function readStoredSession(
  { tokenStorage, userPoolClientId }: Pick<BrowserConfig, 'tokenStorage' | 'userPoolClientId'>,
  nowMs: number,
): PortalSession | null | undefined {
  if (tokenStorage === 'cookie') return document.cookie.includes(LAST_USER) ? undefined : null;
  try {
    const prefix = `${PREFIX}.${userPoolClientId}`;
    const user = localStorage.getItem(`${prefix}.${LAST_USER}`);
    if (user === null) return null;
    const read = (name: string): string | null => localStorage.getItem(`${prefix}.${user}.${name}`);
    const idToken = decodeToken(read('idToken'));
    const leastEndMs = nowMs + driftOf(read('clockDrift')) + SESSION_REFRESH_LEAD_MS;
    const isFresh = [idToken, decodeToken(read('accessToken'))].every(
      ({ payload }) => (payload.exp ?? 0) * 1_000 > leastEndMs,
    );
    return isFresh ? toSession(idToken) : undefined;
  } catch {
    // Storage is blocked, or a token cannot be read.
    return undefined;
  }
}

const driftOf = (stored: string | null): number => Number(stored ?? 0) || 0;

function decodeToken(token: string | null): SessionToken {
  if (token === null) throw new Error('A token is missing.');
  const encoded = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0);
  const payload = JSON.parse(new TextDecoder().decode(bytes)) as SessionToken['payload'];
  return { payload, toString: () => token };
}

/** Deletes the tokens without Amplify, if it could not be loaded. */
export function deleteStoredTokens(): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  for (const cookie of document.cookie.split('; ')) {
    const [name = ''] = cookie.split('=');
    if (name.startsWith(PREFIX)) document.cookie = `${name}=; path=/; max-age=0`;
  }
}
