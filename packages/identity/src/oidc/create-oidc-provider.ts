import { Provider } from 'oidc-provider';
import { sameBytes } from '../secrets/secret-hash.ts';
import { endBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import type { SigningKey } from '../keys/signing-keys.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { registerAccessKeyGrant } from './access-key-grant.ts';
import { SECRET_HASH } from './client-metadata.ts';
import { oidcConfiguration, SCOPES, type OidcProtocol } from './oidc-configuration.ts';
import { registerUserTokenGrant } from './user-token-grant.ts';

/** @param keys those that are published; the first one signs */
export function createOidcProvider(
  context: ProviderContext,
  protocol: OidcProtocol,
  keys: readonly SigningKey[],
): Provider {
  const issuer = `${context.settings.baseUrl}/${protocol}`;
  const provider = new Provider(issuer, oidcConfiguration(context, protocol, keys));
  // Behind a proxy, URLs are still those of the settings, which mount-oidc.ts sets in these
  // headers.
  provider.proxy = true;
  compareHashedSecrets(provider, context);
  registerAccessKeyGrant(provider);
  registerUserTokenGrant(provider, context, new Set(SCOPES[protocol]));
  provider.on('server_error', (_ctx, error) => context.onInternalError(error, protocol));
  provider.on('end_session.success', (ctx) => {
    void endBrowserSignIn(context, ctx.headers).catch((error: unknown) =>
      context.onInternalError(error, 'end of a sign-in'),
    );
  });
  return provider;
}

/** The secrets of access keys are kept as hashes only. */
function compareHashedSecrets(provider: Provider, { hash }: Pick<ProviderContext, 'hash'>): void {
  const compare = provider.Client.prototype.compareClientSecret;
  provider.Client.prototype.compareClientSecret = function compareClientSecret(actual) {
    const expected: unknown = this[SECRET_HASH];
    if (typeof expected !== 'string') return compare.call(this, actual);
    const presented = hash('provider-access-key', this.clientId, actual);
    return sameBytes(presented, Buffer.from(expected, 'hex'));
  };
}
