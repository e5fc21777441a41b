import { Amplify, ConsoleLogger, CookieStorage } from '@aws-amplify/core';
import { cognitoUserPoolsTokenProvider } from '@aws-amplify/auth/cognito';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { LOGIN_COOKIE_LIFETIME_MS } from '@deviceportal/contract/constants';
import { createCredentialsProvider } from './credentials-provider.ts';

const DAY_MS = 86_400_000;

/** Points the sign-in library at this portal's user pool and identity pool. Call it once. */
export function configureSignIn(config: BrowserConfig): void {
  // It warns of every endpoint that is not AWS's own, which here is each of them.
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  const auth = {
    Cognito: {
      userPoolId: config.userPoolId,
      userPoolClientId: config.userPoolClientId,
      userPoolEndpoint: new URL(config.userPoolEndpoint, location.origin).href,
      identityPoolId: config.identityPoolId,
      identityPoolEndpoint: new URL(config.identityPoolEndpoint, location.origin).href,
      allowGuestAccess: false,
    },
  };
  cognitoUserPoolsTokenProvider.setAuthConfig(auth);
  if (config.tokenStorage === 'cookie') {
    cognitoUserPoolsTokenProvider.setKeyValueStorage(
      new CookieStorage({
        expires: LOGIN_COOKIE_LIFETIME_MS / DAY_MS,
        sameSite: 'strict',
        secure: location.protocol === 'https:',
      }),
    );
  }
  Amplify.configure(
    { Auth: auth },
    {
      Auth: {
        tokenProvider: cognitoUserPoolsTokenProvider,
        credentialsProvider: createCredentialsProvider({
          endpoint: auth.Cognito.identityPoolEndpoint,
          identityPoolId: config.identityPoolId,
          storage: localStorage,
          fetch: (...request) => fetch(...request),
          nowMs: () => Date.now(),
        }),
      },
    },
  );
}
