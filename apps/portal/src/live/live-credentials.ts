import type {
  AuthSession,
  CredentialsAndIdentityId,
  CredentialsAndIdentityIdProvider,
} from '@aws-amplify/core';
import { createCredentialsProvider } from '../session/credentials/credentials-provider.ts';

let embedded: CredentialsAndIdentityIdProvider | undefined;

/**
 * The credentials that sign the URL of the live channel: those of the session, or with a hosted
 * identity pool, those for which the pool at `/identity` exchanges the user's ID token.
 *
 * @param livePoolId the pool at `/identity`; null if the session has its credentials
 */
export async function liveCredentialsOf(
  session: AuthSession,
  livePoolId: string | null,
): Promise<Partial<CredentialsAndIdentityId>> {
  if (livePoolId === null) return session;
  const { tokens } = session;
  if (tokens?.idToken === undefined) return {};
  embedded ??= createEmbeddedProvider(livePoolId);
  const exchanged = await embedded.getCredentialsAndIdentityId({
    authConfig: undefined,
    authenticated: true,
    tokens,
  });
  return exchanged ?? {};
}

function createEmbeddedProvider(identityPoolId: string): CredentialsAndIdentityIdProvider {
  // Not in the browser's storage, where the identity of the hosted pool is.
  const kept = new Map<string, string>();
  return createCredentialsProvider({
    endpoint: new URL('/identity', location.origin).href,
    identityPoolId,
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    fetch: (...request) => fetch(...request),
    nowMs: () => Date.now(),
  });
}
