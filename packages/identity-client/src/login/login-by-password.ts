import { operation, type GraphqlOperation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { encryptPassword } from '../encryption/encrypt-password.ts';
import { signIn } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';
import { SIGNED_IN_USER } from '../profile/user-selections.ts';
import { extrasAsText, type SignInExtras } from './sign-in-extras.ts';

const BY_EMAIL = byInput('loginByEmail', 'LoginByEmailInput!');
const BY_USERNAME = byInput('loginByUsername', 'LoginByUsernameInput!');
const BY_PHONE = byInput('loginByPhonePassword', 'LoginByPhonePasswordInput!');
const BY_SUB_ACCOUNT = operation(
  'mutation',
  'loginBySubAccount',
  { account: 'String!', password: 'String!', captchaCode: 'String', clientIp: 'String' },
  SIGNED_IN_USER,
);

interface PasswordLogin extends SignInExtras {
  readonly password: string;
  readonly captchaCode?: string | undefined;
  /** Creates the account if it does not exist. */
  readonly autoRegister?: boolean | undefined;
}

export type EmailLogin = PasswordLogin & { readonly email: string };
export type UsernameLogin = PasswordLogin & { readonly username: string };
export type PhonePasswordLogin = PasswordLogin & { readonly phone: string };

export interface SubAccountLogin {
  readonly account: string;
  readonly password: string;
  readonly captchaCode?: string | undefined;
  readonly clientIp?: string | undefined;
}

/** Signs in with an email address and a password. */
export function loginByEmail(
  client: IdentityClient,
  login: EmailLogin,
  options?: CallOptions,
): Promise<User> {
  return loginWith(client, BY_EMAIL, { email: login.email }, login, options);
}

/** Signs in with a username and a password. */
export function loginByUsername(
  client: IdentityClient,
  login: UsernameLogin,
  options?: CallOptions,
): Promise<User> {
  return loginWith(client, BY_USERNAME, { username: login.username }, login, options);
}

/** Signs in with a phone number and a password. */
export function loginByPhonePassword(
  client: IdentityClient,
  login: PhonePasswordLogin,
  options?: CallOptions,
): Promise<User> {
  return loginWith(client, BY_PHONE, { phone: login.phone }, login, options);
}

/** Signs in with a sub-account and its password. */
export async function loginBySubAccount(
  client: IdentityClient,
  { account, password, captchaCode, clientIp }: SubAccountLogin,
  { signal }: CallOptions = {},
): Promise<User> {
  const encrypted = await encryptPassword(client, password, { signal });
  const variables = { account, password: encrypted, captchaCode, clientIp };
  return signIn(client, await client.graphql({ operation: BY_SUB_ACCOUNT, variables, signal }));
}

function byInput(field: string, type: string): GraphqlOperation {
  return operation('mutation', field, { input: type }, SIGNED_IN_USER);
}

async function loginWith(
  client: IdentityClient,
  chosen: GraphqlOperation,
  identifier: Readonly<Record<string, string>>,
  login: PasswordLogin,
  { signal }: CallOptions = {},
): Promise<User> {
  const { captchaCode, autoRegister = false, clientIp } = login;
  const password = await encryptPassword(client, login.password, { signal });
  const input = {
    ...identifier,
    ...{ password, autoRegister, captchaCode, clientIp },
    ...extrasAsText(login),
  };
  const reply = await client.graphql({ operation: chosen, variables: { input }, signal });
  return signIn(client, reply);
}
