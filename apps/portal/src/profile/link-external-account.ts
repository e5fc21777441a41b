import {
  IdentityError,
  linkAccount,
  loginByEnterprise,
  loginBySocial,
  type IdentityClient,
} from '@deviceportal/identity-client';
import type { SignInMethod } from '../session/sign-in-methods.ts';

/** Signs in at an external provider in a window, and links that account to this one. */
export async function linkExternalAccount(
  client: IdentityClient,
  { kind, protocol, identifier }: SignInMethod,
): Promise<void> {
  const primaryUserToken = client.session.getToken() ?? '';
  const other =
    kind === 'social'
      ? await loginBySocial(client, { provider: identifier })
      : await loginByEnterprise(client, { protocol, identifier });
  // Within an in-app browser of a messenger, the page itself has navigated to the provider.
  if (other === null) return;
  if (!other.token) {
    throw new IdentityError('The external account has no token.', {
      code: 'MALFORMED_REPLY',
    });
  }
  await linkAccount(client, { primaryUserToken, secondaryUserToken: other.token });
}
