import { errors, type KoaContextWithOIDC, type default as Provider } from 'oidc-provider';
import type { ProviderContext } from '../provider/provider-context.ts';
import { findAccount } from './find-account.ts';
import { oidcHash } from './oidc-hash.ts';
import { bindEntry } from './oidc-store.ts';

/** Exchanges the token of a sign-in for those of OpenID Connect (identity-sdk.md, section 8). */
export const USER_TOKEN_GRANT = 'http://authing.cn/oidc/grant_type/authing_token';

/** Default scope (docs/design/sign-in.md, section 9). */
const DEFAULT_SCOPE = 'openid profile email phone address';

type GrantContext = Pick<ProviderContext, 'db' | 'hash' | 'tokens' | 'users'>;

/** @param scopes allowed scopes */
export function registerUserTokenGrant(
  provider: Provider,
  context: GrantContext,
  scopes: ReadonlySet<string>,
): void {
  provider.registerGrantType(
    USER_TOKEN_GRANT,
    (ctx) => exchange(provider, context, { ctx, scopes }),
    ['token', 'scope', 'redirect_uri'],
  );
}

async function exchange(
  provider: Provider,
  context: GrantContext,
  { ctx, scopes }: { readonly ctx: KoaContextWithOIDC; readonly scopes: ReadonlySet<string> },
): Promise<void> {
  const { client, params } = ctx.oidc;
  if (client === undefined) throw new errors.InvalidClient('client not found');
  const verified = await context.tokens.verify(String(params?.['token'] ?? ''));
  // A token of one application must not become one of another.
  if (verified === undefined || verified.session.appId !== client.clientId) {
    throw new errors.InvalidGrant(
      'the token is invalid, expired, or belongs to another application',
    );
  }
  const account = await findAccount(context, verified.userId);
  if (account === undefined) throw new errors.InvalidGrant('the account is locked or deleted');
  const { accountId } = account;
  const redirectUri = params?.['redirect_uri'];
  if (typeof redirectUri === 'string' && !client.redirectUriAllowed(redirectUri)) {
    throw new errors.InvalidRequest('redirect_uri is not registered');
  }
  const scope = allowedScope(String(params?.['scope'] ?? ''), scopes);
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  // Its tokens end with the session of this token.
  const idHash = oidcHash(context, 'Grant', grantId);
  await bindEntry(context.db, { kind: 'Grant', idHash }, verified.session.id);
  const accessToken = new provider.AccessToken({
    accountId,
    client,
    grantId,
    scope,
    gty: 'authing_token',
  } as unknown as ConstructorParameters<typeof provider.AccessToken>[0]);
  ctx.oidc.entity('Grant', grant);
  const value = await accessToken.save();
  const isOpenId = scope.split(' ').includes('openid');
  ctx.body = {
    access_token: value,
    token_type: 'Bearer',
    expires_in: accessToken.expiration,
    scope,
    ...(isOpenId && { id_token: await idTokenFor(provider, ctx, { account, scope }) }),
  };
}

async function idTokenFor(
  provider: Provider,
  ctx: KoaContextWithOIDC,
  {
    account,
    scope,
  }: {
    readonly account: NonNullable<Awaited<ReturnType<typeof findAccount>>>;
    readonly scope: string;
  },
): Promise<string> {
  const claims = await account.claims('id_token', scope, {}, []);
  // The claims are selected by the scope, which the types do not include.
  const idToken = Object.assign(new provider.IdToken(claims, { ctx }), { scope });
  return idToken.issue({ use: 'idtoken' });
}

function allowedScope(asked: string, scopes: ReadonlySet<string>): string {
  const wanted = (asked.trim() === '' ? DEFAULT_SCOPE : asked)
    .split(/ +/)
    .filter((each) => scopes.has(each));
  // Without a user at the browser, there is no consent to unlimited access.
  return wanted.filter((each) => each !== 'offline_access').join(' ');
}
