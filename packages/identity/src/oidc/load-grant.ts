import type { Grant, KoaContextWithOIDC } from 'oidc-provider';

/**
 * Scopes that the user grants to the application. Applications of the pool get what they request.
 * The user is asked only if the application requires it (`prompt=consent`); until then, nothing is
 * granted.
 */
export async function loadGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, provider, result, session, params } = ctx.oidc;
  const accountId = session?.accountId;
  if (client === undefined || accountId === undefined) return undefined;
  const answered = result?.consent?.grantId;
  const grantId = answered ?? session?.grantIdFor(client.clientId);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (answered !== undefined) return known;
  const isOurs = known?.accountId === accountId && known.clientId === client.clientId;
  const grant =
    isOurs && known ? known : new provider.Grant({ accountId, clientId: client.clientId });
  const scope = ctx.oidc.prompts.has('consent') ? '' : String(params?.['scope'] ?? '');
  if (scope !== '') grant.addOIDCScope(scope);
  await grant.save();
  return grant;
}
