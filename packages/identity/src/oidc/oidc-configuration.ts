import { interactionPolicy, type Configuration, type JWK } from 'oidc-provider';
import { findBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { messagePage, signOutPage } from '../hosted-page/protocol-pages.ts';
import type { SigningKey } from '../keys/signing-keys.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { CLAIMS_OF_SCOPE } from './account-claims.ts';
import { findAccount } from './find-account.ts';
import { loadGrant } from './load-grant.ts';
import { createOidcAdapter } from './oidc-adapter.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Which of the two protocols of the contract: the same calls below `/oidc` and below `/oauth`. */
export type OidcProtocol = 'oidc' | 'oauth';

/** `user` is what clients of `/oauth` ask for (docs/design/sign-in.md, section 9). */
export const SCOPES: Readonly<Record<OidcProtocol, readonly string[]>> = {
  oidc: [...Object.keys(CLAIMS_OF_SCOPE), 'offline_access', 'user'],
  oauth: ['user', 'profile', 'email', 'phone', 'address', 'roles', 'offline_access'],
};

/**
 * Both instances share one store, so that a browser is signed in to both.
 * @param keys the published keys; the first one signs
 */
export function oidcConfiguration(
  context: ProviderContext,
  protocol: OidcProtocol,
  keys: readonly SigningKey[],
): Configuration {
  const { hash, settings } = context;
  const { pathname, protocol: scheme } = new URL(settings.baseUrl);
  const cookie = {
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    overwrite: true,
    secure: scheme === 'https:',
  } as const;
  return {
    adapter: createOidcAdapter(context),
    jwks: { keys: keys.map(privateJwk) },
    findAccount: (_ctx, sub) => findAccount(context, sub),
    loadExistingGrant: loadGrant,
    claims: Object.fromEntries(
      Object.entries(CLAIMS_OF_SCOPE).map(([scope, claims]) => [scope, [...claims]]),
    ),
    scopes: [...SCOPES[protocol]],
    // Clients of the contract read the person out of the id token.
    conformIdTokenClaims: false,
    acceptQueryParamAccessTokens: true,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    extraClientMetadata: { properties: ['secret_hash'] },
    responseTypes: ['code'],
    routes: {
      authorization: '/auth',
      token: '/token',
      revocation: '/token/revocation',
      introspection: '/token/introspection',
      userinfo: '/me',
      end_session: '/session/end',
      jwks: '/.well-known/jwks.json',
    },
    features: featuresOf(protocol),
    renderError: (ctx, out) => messagePage(ctx, 'requestRefused', out),
    interactions: {
      policy: policyOf(context),
      url: (_ctx, { uid }) => `${settings.baseUrl}/interaction/oidc/${uid}/login`,
    },
    cookies: {
      keys: [hash('provider-browser', 'cookie key').toString('base64url')],
      names: { session: 'idp_session', interaction: 'idp_interaction', resume: 'idp_resume' },
      long: { ...cookie, path: pathname },
      short: cookie,
    },
    // A public client always shows that it is the one that began; RFC 9700, section 2.1.1.
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    ttl: lifetimesOf(context),
  };
}

function featuresOf(protocol: OidcProtocol): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    // An application learns of its own tokens, and takes back its own.
    introspection: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    userinfo: { enabled: protocol === 'oidc' },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => signOutPage(ctx, form),
      postLogoutSuccessSource: (ctx) => messagePage(ctx, 'signedOut'),
    },
  };
}

function lifetimesOf({
  sessionSeconds,
}: Pick<ProviderContext, 'sessionSeconds'>): Configuration['ttl'] {
  return {
    AccessToken: HOUR,
    AuthorizationCode: MINUTE,
    ClientCredentials: 10 * MINUTE,
    Grant: 14 * DAY,
    IdToken: HOUR,
    Interaction: HOUR,
    RefreshToken: 14 * DAY,
    // Also started without a session, for the sign-out confirmation.
    Session: (_ctx, { accountId }) => (accountId === undefined ? HOUR : sessionSeconds()),
  };
}

function privateJwk({ kid, privateKey }: SigningKey): JWK {
  const jwk = privateKey.export({ format: 'jwk' });
  return { ...jwk, kid, alg: 'RS256', use: 'sig' } as JWK;
}

/**
 * Also requires a sign-in if this browser's session has ended, or another user has signed in since.
 */
function policyOf(context: ProviderContext) {
  const policy = interactionPolicy.base();
  policy.get('login')?.checks.add(
    new interactionPolicy.Check(
      'no_sign_in',
      'the session of this browser has ended',
      async (ctx) => {
        const { session } = ctx.oidc;
        if (session?.accountId === undefined) return interactionPolicy.Check.NO_NEED_TO_PROMPT;
        const signIn = await findBrowserSignIn(context, ctx.headers);
        return signIn?.user.id === session.accountId
          ? interactionPolicy.Check.NO_NEED_TO_PROMPT
          : interactionPolicy.Check.REQUEST_PROMPT;
      },
    ),
  );
  return policy;
}
