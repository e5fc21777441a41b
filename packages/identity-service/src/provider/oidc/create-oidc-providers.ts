import Provider from 'oidc-provider';
import { sameBytes } from '../../secrets/secret-hash.ts';
import { endBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import type { ProviderSigningKey } from '../keys/signing-keys.ts';
import type { ProviderContext } from '../provider-context.ts';
import { SECRET_HASH } from './client-metadata.ts';
import { oidcConfiguration, SCOPES, type OidcProtocol } from './oidc-configuration.ts';
import { registerUserTokenGrant } from './user-token-grant.ts';

/** OpenID Connect below `/oidc`, and plain OAuth 2 below `/oauth`. */
type Both = Readonly<Record<OidcProtocol, Provider>>;

/** As what is published now wants them: a provider keeps its keys for life, so new keys make new ones. */
export interface OidcProviders {
  current(): Promise<Both>;
  answer(protocol: OidcProtocol): Promise<ReturnType<Provider['callback']>>;
}

export function createOidcProviders(context: ProviderContext): OidcProviders {
  let made: { readonly kids: string; readonly both: Both } | undefined;
  const answers = new WeakMap<Provider, ReturnType<Provider['callback']>>();
  const current = async (): Promise<Both> => {
    const keys = await context.keys.signing.published();
    const kids = keys.map(({ kid }) => kid).join(' ');
    if (made?.kids !== kids) {
      const both = {
        oidc: createOne(context, 'oidc', keys),
        oauth: createOne(context, 'oauth', keys),
      };
      made = { kids, both };
    }
    return made.both;
  };
  return {
    current,
    async answer(protocol) {
      const provider = (await current())[protocol];
      const answer = answers.get(provider) ?? provider.callback();
      answers.set(provider, answer);
      return answer;
    },
  };
}

function createOne(
  context: ProviderContext,
  protocol: OidcProtocol,
  keys: readonly ProviderSigningKey[],
): Provider {
  const issuer = `${context.settings.baseUrl}/${protocol}`;
  const provider = new Provider(issuer, oidcConfiguration(context, protocol, keys));
  // Behind a proxy the addresses are still those of the settings: mount-oidc.ts says them in these headers.
  provider.proxy = true;
  compareHashedSecrets(provider, context);
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
