import type { ProviderContext } from '../provider/provider-context.ts';

/** Under which name an entry of this kind is kept; its id is what a client shows. */
export function oidcHash(
  { hash }: Pick<ProviderContext, 'hash'>,
  kind: string,
  id: string,
): Buffer {
  return hash('provider-oidc', kind, id);
}
