import {
  Amplify,
  clearCredentials,
  ConsoleLogger,
  defaultStorage,
  fetchAuthSession,
  type AuthConfig,
} from '@aws-amplify/core';
import { cognitoUserPoolsTokenProvider as tokens } from '@aws-amplify/auth/cognito';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { createCredentialsProvider } from './credentials/credentials-provider.ts';
import { createFederatedRefresh } from './credentials/federated-refresh.ts';
import { identityPoolEndpoint } from './credentials/identity-pool-endpoint.ts';
import { IdentityProvider, providerOf } from './identity-provider.ts';
import { session } from './session.ts';
import { signInLayer } from './sign-in-layer.ts';
import { tokenCookies } from './token-cookies.ts';
import { userPoolOf } from './user-pool-of.ts';

/** The parts of Amplify that the portal calls, after it is configured. */
export interface SignInLibrary {
  readonly tokens: typeof tokens;
  readonly fetchAuthSession: typeof fetchAuthSession;
  readonly clearCredentials: () => Promise<void>;
  /** Where the tokens are stored. */
  readonly storage: Parameters<typeof tokens.setKeyValueStorage>[0];
}

/** Configures Amplify. Call once per page. */
export function openLibrary(config: BrowserConfig): SignInLibrary {
  // The library warns about every endpoint outside AWS, which includes all endpoints of the
  // embedded services.
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  const storage = config.tokenStorage === 'cookie' ? tokenCookies(location) : defaultStorage;
  if (providerOf(config) === IdentityProvider.COGNITO) {
    tokens.setAuthConfig({ Cognito: userPoolOf(config, location.origin) });
    tokens.setKeyValueStorage(storage);
  }
  configureCredentials(config);
  return { tokens, fetchAuthSession, clearCredentials, storage };
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
