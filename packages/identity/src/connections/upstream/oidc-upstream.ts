import * as client from 'openid-client';
import type { AzureConnection, OidcConnection } from '../connection.ts';
import { personOfClaims, textOf } from '../outside-person.ts';
import type { Upstream } from './upstream.ts';
import { authenticationOf, callbackWith, harden, isOnThisMachine } from './web-client.ts';

/** How long a provider's configuration is cached. */
const KEPT_MS = 3_600_000;

/** OpenID Connect: authorization code with PKCE, state and nonce (Core 1.0, section 3.1; RFC 7636). */
export function createOidcUpstream(connection: OidcConnection | AzureConnection): Upstream {
  const discover = createDiscovery(connection);
  return {
    async begin({ state, callbackUrl }, nonce = client.randomNonce()) {
      const codeVerifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(await discover(), {
        redirect_uri: callbackUrl,
        scope: connection.scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, memory: { nonce, codeVerifier } };
    },
    async finish({ state, callbackUrl }, { nonce, codeVerifier }, answer) {
      const config = await discover();
      const tokens = await client.authorizationCodeGrant(
        config,
        callbackWith(callbackUrl, answer),
        {
          expectedState: state,
          idTokenExpected: true,
          ...(nonce !== undefined && { expectedNonce: nonce }),
          ...(codeVerifier !== undefined && { pkceCodeVerifier: codeVerifier }),
        },
      );
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('The provider returned no ID token.');
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore
        ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        : {};
      // The lasting id of an Azure account, whichever application asks.
      const subject = connection.protocol === 'azure-ad' ? textOf(claims['oid']) : undefined;
      return personOfClaims(subject ?? claims.sub, { ...claims, ...more });
    },
  };
}

function createDiscovery(
  connection: OidcConnection | AzureConnection,
): () => Promise<client.Configuration> {
  const { clientId, clientSecret } = connection;
  const issuer =
    connection.protocol === 'oidc'
      ? connection.issuer
      : `${connection.authority}/${connection.tenant}/v2.0`;
  let known: Promise<client.Configuration> | undefined;
  let untilMs = 0;
  return () => {
    if (known !== undefined && performance.now() < untilMs) return known;
    const asked = client
      .discovery(new URL(issuer), clientId, undefined, authenticationOf(clientSecret), {
        timeout: 10,
        execute: isOnThisMachine(issuer) ? [client.allowInsecureRequests] : [],
      })
      .then((config) => harden(config, issuer));
    known = asked;
    untilMs = performance.now() + KEPT_MS;
    asked.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked;
  };
}
