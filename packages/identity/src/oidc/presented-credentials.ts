import type { KoaContextWithOIDC } from 'oidc-provider';

/** Calls at which a client shows who it is. */
const AUTHENTICATED_ROUTES = new Set(['token', 'introspection', 'revocation']);

/**
 * Whether the client of this call authenticates by nothing but its id: clients of the contract choose by themselves
 * whether they show their secret (identity-sdk.md, section 8, columns of the table).
 */
export function isWithoutSecret(ctx: KoaContextWithOIDC | undefined): boolean {
  if (ctx?.oidc === undefined || !AUTHENTICATED_ROUTES.has(ctx.oidc.route)) return false;
  const secret = ctx.oidc.params?.['client_secret'];
  return ctx.headers.authorization === undefined && (secret === undefined || secret === '');
}
