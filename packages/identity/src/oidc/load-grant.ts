import type { Grant, KoaContextWithOIDC } from 'oidc-provider';

/**
 * What this person lets this application have. Applications of the pool have what they ask for; the person is asked only
 * when the application wants that (`prompt=consent`), and then nothing is granted before they answered.
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
