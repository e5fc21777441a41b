import {
  IdentityError,
  linkAccount,
  loginByEnterprise,
  loginBySocial,
  type IdentityClient,
} from '@deviceportal/identity-client';
import type { SignInMethod } from '../session/sign-in-methods.ts';

/** Signs in elsewhere in a window, and makes that account a further way into this one. */
export async function linkOther(
  client: IdentityClient,
  { kind, protocol, identifier }: SignInMethod,
): Promise<void> {
  const primaryUserToken = client.session.getToken() ?? '';
  const other =
    kind === 'social'
      ? await loginBySocial(client, { provider: identifier })
      : await loginByEnterprise(client, { protocol, identifier });
  // Inside a messenger the page itself has gone to the provider.
  if (other === null) return;
  if (!other.token) {
    throw new IdentityError('The other account came without a token.', {
      code: 'MALFORMED_REPLY',
    });
  }
  await linkAccount(client, { primaryUserToken, secondaryUserToken: other.token });
}
