import type { ProviderContext } from '../provider/provider-context.ts';
import { formTargetOf } from '../hosted-page/page-frame.ts';
import type { FindPendingSignIn } from '../hosted-page/pending-sign-in.ts';
import type { OidcProviders } from './create-oidc-providers.ts';

/** Why a sign-in of before is not enough. */
const NEW_SIGN_IN = new Set([
  'login_prompt',
  'max_age',
  'id_token_hint',
  'claims_id_token_sub_value',
]);

/** Finds the applications that wait by OpenID Connect and OAuth. */
export function findOidcSignIn(
  { applications }: Pick<ProviderContext, 'applications'>,
  // Both instances share the interactions; each has its own URLs to continue.
  providers: OidcProviders,
): FindPendingSignIn {
  return async (uid, { raw }, reply) => {
    const { oidc } = await providers.current();
    const details = await oidc.interactionDetails(raw, reply.raw).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
      throw error;
    });
    if (details === undefined || details.uid !== uid) return undefined;
    const { params, prompt } = details;
    const text = (name: string): string | undefined =>
      typeof params[name] === 'string' ? params[name] : undefined;
    const clientId = text('client_id') ?? '';
    const application = await applications.find(clientId);
    if (application === undefined) return undefined;
    const result = (answer: Parameters<typeof oidc.interactionResult>[2]): Promise<string> =>
      oidc.interactionResult(raw, reply.raw, answer, { mergeWithLastSubmission: true });
    const scopes = (text('scope') ?? '').split(/ +/).filter((scope) => scope !== '');
    return {
      application,
      asks: prompt.name === 'consent' ? 'consent' : 'sign-in',
      scopes,
      loginHint: text('login_hint'),
      languages: text('ui_locales'),
      mayReuseSignIn: !prompt.reasons.some((reason) => NEW_SIGN_IN.has(reason)),
      formTargets: [
        formTargetOf(text('redirect_uri') ?? application.redirectUris[0] ?? 'about:blank'),
      ],
      finish: ({ user, session }) =>
        result({
          login: {
            accountId: user.id,
            ts: Math.floor(session.createdAt.getTime() / 1_000),
            amr: [session.method],
          },
        }),
      async allow() {
        const accountId = details.session?.accountId;
        if (accountId === undefined) return result({ error: 'access_denied' });
        const known =
          details.grantId === undefined ? undefined : await oidc.Grant.find(details.grantId);
        const grant = known ?? new oidc.Grant({ accountId, clientId });
        grant.addOIDCScope(scopes.join(' '));
        return result({ consent: { grantId: await grant.save() } });
      },
      cancel: () =>
        result({ error: 'access_denied', error_description: 'the user canceled the sign-in' }),
    };
  };
}
