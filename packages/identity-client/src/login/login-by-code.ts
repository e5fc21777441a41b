import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { signIn } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';
import { SIGNED_IN_USER } from '../profile/user-selections.ts';
import { extrasAsText, type SignInExtras } from './sign-in-extras.ts';

const BY_PHONE = operation(
  'mutation',
  'loginByPhoneCode',
  { input: 'LoginByPhoneCodeInput!' },
  SIGNED_IN_USER,
);

export interface PhoneCodeLogin extends SignInExtras {
  readonly phone: string;
  readonly code: string;
  readonly phoneCountryCode?: string | undefined;
}

export interface EmailCodeLogin extends SignInExtras {
  readonly email: string;
  readonly code: string;
  readonly phoneCountryCode?: string | undefined;
}

/** Signs in with a code from a text message. */
export async function loginByPhoneCode(
  client: IdentityClient,
  login: PhoneCodeLogin,
  { signal }: CallOptions = {},
): Promise<User> {
  const { phone, code, clientIp, phoneCountryCode } = login;
  const input = { phone, code, phoneCountryCode, clientIp, ...extrasAsText(login) };
  return signIn(
    client,
    await client.graphql({ operation: BY_PHONE, variables: { input }, signal }),
  );
}

/** Signs in with a code from an email. */
export async function loginByEmailCode(
  client: IdentityClient,
  login: EmailCodeLogin,
  { signal }: CallOptions = {},
): Promise<User> {
  const { email, code, clientIp, phoneCountryCode } = login;
  const reply = await client.rest({
    method: 'POST',
    path: '/api/v2/login/email-code',
    body: { email, code, phoneCountryCode, clientIp, ...extrasAsText(login) },
    token: null,
    signal,
  });
  return signIn(client, reply);
}
