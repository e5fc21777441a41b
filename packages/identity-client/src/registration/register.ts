import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { encryptPassword } from '../encryption/encrypt-password.ts';
import { extrasAsText, type SignInExtras } from '../login/sign-in-extras.ts';
import { signIn } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';
import { PLAIN_USER } from '../profile/user-selections.ts';

const BY_EMAIL = byInput('registerByEmail', 'RegisterByEmailInput!');
const BY_USERNAME = byInput('registerByUsername', 'RegisterByUsernameInput!');
const BY_PHONE_CODE = byInput('registerByPhoneCode', 'RegisterByPhoneCodeInput!');

interface Registration extends SignInExtras {
  readonly profile?: Readonly<Record<string, unknown>> | null | undefined;
  /** Signs in immediately, as a full sign-in. */
  readonly forceLogin?: boolean | undefined;
  /** Returns a token immediately, without counting as a sign-in. */
  readonly generateToken?: boolean | undefined;
}

export interface EmailRegistration extends Registration {
  readonly email: string;
  readonly password: string;
  readonly phoneToken?: string | undefined;
}

export interface UsernameRegistration extends Registration {
  readonly username: string;
  readonly password: string;
  readonly emailToken?: string | undefined;
  readonly phoneToken?: string | undefined;
}

export interface PhoneCodeRegistration extends Registration {
  readonly phone: string;
  readonly code: string;
  readonly password?: string | undefined;
  readonly phoneCountryCode?: string | undefined;
  readonly emailToken?: string | undefined;
}

export interface EmailCodeRegistration extends Registration {
  readonly email: string;
  readonly code: string;
  readonly phoneToken?: string | undefined;
}

/** Creates an account with an email address and a password. */
export async function registerByEmail(
  client: IdentityClient,
  registration: EmailRegistration,
  { signal }: CallOptions = {},
): Promise<User> {
  const password = await encryptPassword(client, registration.password, { signal });
  const { email, phoneToken } = registration;
  return register(client, BY_EMAIL, registration, { email, password, phoneToken }, signal);
}

/** Creates an account with a username and a password. */
export async function registerByUsername(
  client: IdentityClient,
  registration: UsernameRegistration,
  { signal }: CallOptions = {},
): Promise<User> {
  const password = await encryptPassword(client, registration.password, { signal });
  const { username, emailToken, phoneToken } = registration;
  const own = { username, password, emailToken, phoneToken };
  return register(client, BY_USERNAME, registration, own, signal);
}

/** Creates an account with a phone number, a code sent to it, and optionally a password. */
export async function registerByPhoneCode(
  client: IdentityClient,
  registration: PhoneCodeRegistration,
  { signal }: CallOptions = {},
): Promise<User> {
  const { phone, code, phoneCountryCode, emailToken } = registration;
  const password = registration.password
    ? await encryptPassword(client, registration.password, { signal })
    : undefined;
  const own = { phone, code, password, phoneCountryCode, emailToken };
  return register(client, BY_PHONE_CODE, registration, own, signal);
}

/** Creates an account with an email address and a code sent to it. */
export async function registerByEmailCode(
  client: IdentityClient,
  registration: EmailCodeRegistration,
  { signal }: CallOptions = {},
): Promise<User> {
  const path = '/api/v2/register/email-code';
  const body = { ...registration };
  return signIn(client, await client.rest({ method: 'POST', path, body, signal }));
}

function byInput(field: string, type: string): ReturnType<typeof operation> {
  return operation('mutation', field, { input: type }, PLAIN_USER);
}

async function register(
  client: IdentityClient,
  chosen: ReturnType<typeof operation>,
  registration: Registration,
  own: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<User> {
  const { forceLogin = false, generateToken = false, clientIp } = registration;
  const input = {
    ...own,
    ...{ profile: registration.profile ?? {}, forceLogin, generateToken, clientIp },
    ...extrasAsText(registration),
  };
  const reply = await client.graphql({ operation: chosen, variables: { input }, signal });
  return signIn(client, reply);
}
