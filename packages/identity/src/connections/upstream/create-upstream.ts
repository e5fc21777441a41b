import type { WebConnection } from '../connection.ts';
import { createCasUpstream } from './cas-upstream.ts';
import { createOauthUpstream } from './oauth-upstream.ts';
import { createOidcUpstream } from './oidc-upstream.ts';
import { createSamlUpstream } from './saml-upstream.ts';
import type { Upstream } from './upstream.ts';

/** @param ownName what this provider calls itself towards SAML identity providers */
export function createUpstream(connection: WebConnection, ownName: string): Upstream {
  switch (connection.protocol) {
    case 'oidc':
    case 'azure-ad':
      return createOidcUpstream(connection);
    case 'oauth':
      return createOauthUpstream(connection);
    case 'saml':
      return createSamlUpstream(connection, ownName);
    case 'cas':
      return createCasUpstream(connection);
  }
}
