import type { IdentityService } from '@deviceportal/identity-service/identity-service';
import type { Config } from './platform/config/config.ts';
import { issuerOf } from './platform/config/provider-origins.ts';
import { createExternalRoles } from './session/external-roles.ts';
import {
  createInProcessFetcher,
  createKeySetFetcher,
} from './session/token-check/fetch-key-set.ts';
import { createTokenVerifier, type TokenVerifier } from './session/token-verifier.ts';

/** Reading the keys of this process costs nothing, and a key that was withdrawn is soon forgotten. */
const OWN_KEYS_MS = 30_000;

/**
 * The check of id tokens against whichever issuer the configuration names.
 * @param identity where people sign in at the embedded pool
 */
export function composeTokenVerifier(
  { providerSet, tokenCheck: restrictions }: Pick<Config, 'providerSet' | 'tokenCheck'>,
  identity: Pick<IdentityService, 'settings' | 'keySet'> | undefined,
): TokenVerifier {
  if (providerSet.source === 'embedded') {
    if (identity === undefined) throw new Error('The embedded user pool checks its own tokens.');
    return createTokenVerifier({
      issuer: identity.settings.issuer,
      clientId: identity.settings.userPoolClientId,
      fetcher: createInProcessFetcher(() => identity.keySet()),
      refreshKeysAfterMs: OWN_KEYS_MS,
      restrictions,
      tokens: { kind: 'cognito' },
    });
  }
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
