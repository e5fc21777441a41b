import { Amplify } from '@aws-amplify/core';
import {
  cognitoCredentialsProvider,
  cognitoUserPoolsTokenProvider,
} from '@aws-amplify/auth/cognito';
import type { IdentityServer } from './identity-server.ts';

/**
 * Points Amplify of this process at the server, with guests, and with a store of its own.
 * @returns what Amplify keeps, by key
 */
export function configureAmplify(server: IdentityServer): Map<string, string> {
  const { settings } = server.service;
  const stored = new Map<string, string>();
  const auth = {
    Cognito: {
      userPoolId: settings.userPoolId,
      userPoolClientId: settings.userPoolClientId,
      identityPoolId: settings.identityPoolId,
      allowGuestAccess: true,
      userPoolEndpoint: server.endpoint,
      identityPoolEndpoint: server.endpoint,
    },
  };
  Amplify.configure(
    { Auth: auth },
    {
      Auth: {
        tokenProvider: cognitoUserPoolsTokenProvider,
        credentialsProvider: cognitoCredentialsProvider,
      },
    },
  );
  cognitoUserPoolsTokenProvider.setAuthConfig(auth);
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    setItem: async (key, value) => void stored.set(key, value),
    getItem: async (key) => stored.get(key) ?? null,
    removeItem: async (key) => void stored.delete(key),
    clear: async () => stored.clear(),
  });
  return stored;
}
