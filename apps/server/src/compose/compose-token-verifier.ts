import type { IdentityService } from '@deviceportal/identity/identity-service';
import type { Provider } from '@deviceportal/identity/provider';
import type { Config } from '../platform/config/config.ts';
import { issuerOf, type OutsideProviderSet } from '../platform/config/provider-origins.ts';
import { createExternalRoles } from '../session/external-roles.ts';
import {
  createInProcessFetcher,
  createKeySetFetcher,
} from '../session/token-check/fetch-key-set.ts';
import { createTokenVerifier, type TokenVerifier } from '../session/token-verifier.ts';

/** Reading this process's keys is free, and withdrawn keys are dropped soon. */
const OWN_KEYS_MS = 30_000;

/** Verifies tokens of the embedded user pool. */
export function composePoolTokenVerifier(
  { tokenCheck: restrictions }: Pick<Config, 'tokenCheck'>,
  identity: Pick<IdentityService, 'settings' | 'keySet'>,
): TokenVerifier {
  return createTokenVerifier({
    issuer: identity.settings.issuer,
    clientId: identity.settings.userPoolClientId,
    fetcher: createInProcessFetcher(() => identity.keySet()),
    refreshKeysAfterMs: OWN_KEYS_MS,
    restrictions,
    tokens: { kind: 'cognito' },
  });
}

/**
 * Verifies tokens of the provider at `/idp`. Roles are not part of the tokens and are looked up for
 * each call.
 */
export function composeProviderTokenVerifier(
  { tokenCheck: restrictions }: Pick<Config, 'tokenCheck'>,
  provider: Pick<Provider, 'settings' | 'keySet' | 'findRolesOf'>,
): TokenVerifier {
  const { baseUrl, application } = provider.settings;
  return createTokenVerifier({
    issuer: `${baseUrl}/oidc`,
    clientId: application.id,
    fetcher: createInProcessFetcher(async () => provider.keySet()),
    refreshKeysAfterMs: OWN_KEYS_MS,
    restrictions,
    tokens: { kind: 'oidc', findRoles: (_token, subject) => provider.findRolesOf(subject) },
  });
}

/** Verifies ID tokens of the configured external issuer. */
export function composeOutsideTokenVerifier(
  providerSet: OutsideProviderSet,
  restrictions: Config['tokenCheck'],
): TokenVerifier {
  const fetcher = createKeySetFetcher({ fetch: (...request) => fetch(...request) });
  if (providerSet.kind === 'cognito') {
    return createTokenVerifier({
      issuer: issuerOf(providerSet),
      clientId: providerSet.userPoolClientId,
      fetcher,
      restrictions,
      tokens: { kind: 'cognito' },
    });
  }
  const { issuer, appId, host, keySetUrl } = providerSet;
  const findRoles = createExternalRoles({
    host,
    appId,
    fetch: (...request) => fetch(...request),
    nowMs: () => Date.now(),
  });
  return createTokenVerifier({
    issuer,
    clientId: appId,
    keySetUrl,
    fetcher,
    restrictions,
    tokens: { kind: 'oidc', findRoles },
  });
}
