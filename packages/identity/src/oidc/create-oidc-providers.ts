import type Provider from 'oidc-provider';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { createOidcProvider as CreateOne } from './create-oidc-provider.ts';
import type { OidcProtocol } from './oidc-configuration.ts';

/** OpenID Connect below `/oidc`, and plain OAuth 2 below `/oauth`. */
type Both = Readonly<Record<OidcProtocol, Provider>>;

/**
 * Instances for the published keys. An instance cannot change its keys, so new keys require new
 * instances.
 */
export interface OidcProviders {
  current(): Promise<Both>;
  answer(protocol: OidcProtocol): Promise<ReturnType<Provider['callback']>>;
}

export function createOidcProviders(context: ProviderContext): OidcProviders {
  let made: { readonly kids: string; readonly both: Both } | undefined;
  let loaded: Promise<{ readonly createOidcProvider: typeof CreateOne }> | undefined;
  const answers = new WeakMap<Provider, ReturnType<Provider['callback']>>();
  const current = async (): Promise<Both> => {
    const keys = await context.keys.signing.published();
    const kids = keys.map(({ kid }) => kid).join(' ');
    // A tenth of the time that a server takes to start: loaded with the first call.
    const { createOidcProvider } = await (loaded ??= import('./create-oidc-provider.ts'));
    if (made?.kids !== kids) {
      const both = {
        oidc: createOidcProvider(context, 'oidc', keys),
        oauth: createOidcProvider(context, 'oauth', keys),
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
