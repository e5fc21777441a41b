import {
  Amplify,
  ConsoleLogger,
  type CookieStorage,
  defaultStorage,
  type AuthConfig,
} from '@aws-amplify/core';
import { cognitoUserPoolsTokenProvider } from '@aws-amplify/auth/cognito';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { createCognitoLayer } from '../session/cognito/cognito-layer.ts';
import { createCredentialsProvider } from '../session/credentials/credentials-provider.ts';
import { createFederatedRefresh } from '../session/credentials/federated-refresh.ts';
import { identityPoolEndpoint } from '../session/credentials/identity-pool-endpoint.ts';
import { IdentityProvider, providerOf } from '../session/identity-provider.ts';
import { session } from '../session/session.ts';
import { tokenCookies } from '../session/token-cookies.ts';
import { userPoolOf } from '../session/user-pool-of.ts';
import { setSignInLayer, signInLayer, type SignInLayer } from '../session/sign-in-layer.ts';

/** Selects the provider and configures the libraries. Call once per page. */
export async function configureSignIn(config: BrowserConfig): Promise<void> {
  // The library warns about every endpoint outside AWS, which includes all endpoints of the
  // embedded services.
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  const storage = config.tokenStorage === 'cookie' ? tokenCookies(location) : defaultStorage;
  if (providerOf(config) === IdentityProvider.AUTHING) {
    const { openAuthingLayer } = await import('../session/authing/open-authing-layer.ts');
    setSignInLayer(openAuthingLayer(config, storage));
  } else {
    setSignInLayer(openCognitoLayer(config, storage));
  }
  configureCredentials(config);
}

type TokenStorage = CookieStorage | typeof defaultStorage;

function openCognitoLayer(config: BrowserConfig, storage: TokenStorage): SignInLayer {
  cognitoUserPoolsTokenProvider.setAuthConfig({ Cognito: userPoolOf(config, location.origin) });
  cognitoUserPoolsTokenProvider.setKeyValueStorage(storage);
  return createCognitoLayer({ codeLength: config.codeLength, nowMs: () => Date.now() });
}

function configureCredentials(config: BrowserConfig): void {
  const { identityPoolId } = config;
  const timing = {
    nowMs: () => Date.now(),
    sleep: (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs)),
    random: Math.random,
  };
  const retried = createFederatedRefresh(timing);
  const tokenProvider = {
    getTokens: () =>
      retried(async () => {
        // Uses the session, so that only one tab refreshes.
        await session.current();
        return signInLayer().readTokens();
      }),
  };
  const userPool = config.userPoolId === '' ? undefined : userPoolOf(config, location.origin);
  if (identityPoolId === null) {
    Amplify.configure(userPool === undefined ? {} : { Auth: { Cognito: userPool } }, {
      Auth: { tokenProvider },
    });
    return;
  }
  const credentialsProvider = createCredentialsProvider({
    endpoint: identityPoolEndpoint(config, location.origin),
    identityPoolId,
    accountId: config.identityPoolAccountId,
    storage: localStorage,
    fetch: (...request) => fetch(...request),
    nowMs: timing.nowMs,
  });
  const pool = { identityPoolId, allowGuestAccess: true };
  const Cognito = userPool === undefined ? pool : { ...userPool, ...pool };
  Amplify.configure(
    { Auth: { Cognito } as AuthConfig },
    { Auth: { tokenProvider, credentialsProvider } },
  );
}
