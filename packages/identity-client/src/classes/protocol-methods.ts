import { queryText } from '../core/base-url.ts';
import { buildAuthorizeUrl, type AuthorizeInput } from '../protocols/authorize-url.ts';
import {
  trackSession,
  validateTicketV1,
  validateTicketV2,
  type TicketCheck,
} from '../protocols/cas-tickets.ts';
import {
  exchangeClientCredentials,
  exchangeCode,
  exchangeIdToken,
  refreshTokens,
  type TokenSet,
} from '../protocols/exchange-tokens.ts';
import {
  fetchUserInfo,
  introspectToken,
  revokeToken,
  validateToken,
  type UserInfoRequest,
} from '../protocols/inspect-tokens.ts';
import { buildLogoutUrl, type LogoutInput } from '../protocols/logout-url.ts';
import { codeChallengeOf, createCodeVerifier } from '../protocols/pkce.ts';
import { basicAuthorization } from '../protocols/token-endpoint.ts';
import { AccessMethods } from './access-methods.ts';

/** OIDC, OAuth, SAML, and CAS, with the arguments of `authing-js-sdk`. */
export class ProtocolMethods extends AccessMethods {
  buildAuthorizeUrl(options?: AuthorizeInput): string {
    return buildAuthorizeUrl(this.client, options);
  }

  buildLogoutUrl(options?: LogoutInput): string {
    return buildLogoutUrl(this.client, options);
  }

  /** Returns a code verifier (RFC 7636), despite the name. */
  generateCodeChallenge(): string {
    return createCodeVerifier();
  }

  getCodeChallengeDigest(options: { codeChallenge: string; method?: 'S256' | 'plain' }): string {
    return codeChallengeOf(this.client, options?.codeChallenge, options?.method);
  }

  getAccessTokenByCode(code: string, options?: { codeVerifier?: string }): Promise<TokenSet> {
    return exchangeCode(this.client, { code, codeVerifier: options?.codeVerifier });
  }

  getNewAccessTokenByRefreshToken(token: string): Promise<TokenSet> {
    return refreshTokens(this.client, token);
  }

  getAccessTokenByIdToken(options: {
    redirectUri: string;
    idToken: string;
    scope?: string;
  }): Promise<TokenSet> {
    return exchangeIdToken(this.client, options);
  }

  getAccessTokenByClientCredentials(
    scope: string,
    options: { accessKey: string; accessSecret: string },
  ): Promise<TokenSet> {
    return exchangeClientCredentials(this.client, { scope, ...options });
  }

  revokeToken(token: string): Promise<boolean> {
    return revokeToken(this.client, token);
  }

  introspectToken(token: string): Promise<unknown> {
    return introspectToken(this.client, token);
  }

  getUserInfoByAccessToken(accessToken: string, options?: UserInfoRequest): Promise<unknown> {
    return fetchUserInfo(this.client, accessToken, options);
  }

  validateToken(options: { accessToken?: string; idToken?: string }): Promise<unknown> {
    return validateToken(this.client, options);
  }

  validateTicketV1(ticket: string, service: string): Promise<TicketCheck> {
    return validateTicketV1(this.client, { ticket, service });
  }

  validateTicketV2(ticket: string, service: string, format?: 'XML' | 'JSON'): Promise<unknown> {
    return validateTicketV2(this.client, { ticket, service, format });
  }

  trackSession(): Promise<unknown> {
    return trackSession(this.client);
  }

  _generateTokenRequest(params: Readonly<Record<string, string | undefined>>): string {
    return queryText(params);
  }

  _generateBasicAuthToken(appId?: string, secret?: string): string {
    return basicAuthorization(appId ?? this.options.appId, secret ?? this.options.secret);
  }
}
