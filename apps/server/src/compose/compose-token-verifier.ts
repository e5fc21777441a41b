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

/** Reading the keys of this process costs nothing, and a key that was withdrawn is soon forgotten. */
const OWN_KEYS_MS = 30_000;

/** The check of the embedded user pool's tokens. */
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

/** The check of the tokens of the provider at `/idp`; roles are asked with every call, and are in no token. */
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

/** The check of id tokens of whichever issuer elsewhere the configuration names. */
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
