import * as client from 'openid-client';
import { z } from 'zod';
import type { OauthConnection } from '../connection.ts';
import { personOfClaims, textOf } from '../outside-person.ts';
import type { Upstream } from './upstream.ts';
import { authenticationOf, callbackWith, harden } from './web-client.ts';

const claimsSchema = z.record(z.string(), z.unknown());

/** OAuth 2: authorization code with PKCE and state (RFC 6749, RFC 7636), then the user information of the provider. */
export function createOauthUpstream(connection: OauthConnection): Upstream {
  const { authorizationEndpoint, tokenEndpoint, userinfoEndpoint } = connection;
  const metadata: client.ServerMetadata = {
    issuer: connection.issuer ?? new URL(authorizationEndpoint).origin,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
  };
  const config = harden(
    new client.Configuration(
      metadata,
      connection.clientId,
      undefined,
      authenticationOf(connection.clientSecret),
    ),
    tokenEndpoint,
  );
  return {
    async begin({ state, callbackUrl }) {
      const codeVerifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: callbackUrl,
        ...(connection.scope !== '' && { scope: connection.scope }),
        state,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, memory: { codeVerifier } };
    },
    async finish({ state, callbackUrl }, { codeVerifier }, answer) {
      const tokens = await client.authorizationCodeGrant(
        config,
        callbackWith(callbackUrl, answer),
        {
          expectedState: state,
          ...(codeVerifier !== undefined && { pkceCodeVerifier: codeVerifier }),
        },
      );
      const response = await client.fetchProtectedResource(
        config,
        tokens.access_token,
        new URL(userinfoEndpoint),
        'GET',
        undefined,
        new Headers({ accept: 'application/json' }),
      );
      if (!response.ok)
        throw new Error(`The user information endpoint returned HTTP ${response.status}.`);
      const claims = claimsSchema.parse(await response.json());
      const subject = textOf(claims[connection.subjectField]);
      if (subject === undefined)
        throw new Error('The user information does not identify an account.');
      return personOfClaims(subject, claims);
    },
  };
}
