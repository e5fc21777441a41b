import type { CommonMessage } from '../codes/send-code.ts';
import { operation, type GraphqlOperation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { encryptPassword } from '../encryption/encrypt-password.ts';
import { keepSignedIn } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';
import { CHANGED_USER } from '../profile/user-selections.ts';

const ANSWER = 'message code';
const UPDATE = operation(
  'mutation',
  'updatePassword',
  { newPassword: 'String!', oldPassword: 'String' },
  CHANGED_USER,
);
const RESET = operation(
  'mutation',
  'resetPassword',
  {
    phone: 'String',
    phoneCountryCode: 'String',
    email: 'String',
    code: 'String!',
    newPassword: 'String!',
  },
  ANSWER,
);
const RESET_FIRST = operation(
  'mutation',
  'resetPasswordByFirstLoginToken',
  { token: 'String!', password: 'String!' },
  ANSWER,
);
const RESET_FORCED = operation(
  'mutation',
  'resetPasswordByForceResetToken',
  { token: 'String!', oldPassword: 'String!', newPassword: 'String!' },
  ANSWER,
);

/** Changes the current user's password. Omit the old password if none is set yet. */
export async function updatePassword(
  client: IdentityClient,
  passwords: { readonly newPassword: string; readonly oldPassword?: string | undefined },
  { signal }: CallOptions = {},
): Promise<User> {
  const newPassword = await encryptPassword(client, passwords.newPassword, { signal });
  const oldPassword = passwords.oldPassword
    ? await encryptPassword(client, passwords.oldPassword, { signal })
    : undefined;
  const variables = { newPassword, oldPassword };
  return keepSignedIn(client, await client.graphql({ operation: UPDATE, variables, signal }));
}

export interface PhonePasswordReset {
  readonly phone: string;
  readonly code: string;
  readonly newPassword: string;
  readonly phoneCountryCode?: string | undefined;
}

/** Sets a new password with a code from a text message. */
export async function resetPasswordByPhoneCode(
  client: IdentityClient,
  { phone, phoneCountryCode, code, newPassword }: PhonePasswordReset,
  { signal }: CallOptions = {},
): Promise<CommonMessage> {
  const password = await encryptPassword(client, newPassword, { signal });
  return reset(client, RESET, { phone, phoneCountryCode, code, newPassword: password }, signal);
}

/** Sets a new password with a code from an email. */
export async function resetPasswordByEmailCode(
  client: IdentityClient,
  input: { readonly email: string; readonly code: string; readonly newPassword: string },
  { signal }: CallOptions = {},
): Promise<CommonMessage> {
  const newPassword = await encryptPassword(client, input.newPassword, { signal });
  return reset(client, RESET, { email: input.email, code: input.code, newPassword }, signal);
}

/** Sets the password that a first sign-in requires. */
export async function resetPasswordByFirstLoginToken(
  client: IdentityClient,
  { token, password }: { readonly token: string; readonly password: string },
  { signal }: CallOptions = {},
): Promise<CommonMessage> {
  const encrypted = await encryptPassword(client, password, { signal });
  return reset(client, RESET_FIRST, { token, password: encrypted }, signal);
}

export interface ForcedPasswordReset {
  readonly token: string;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** Sets the password after a sign-in that required a reset. */
export async function resetPasswordByForceResetToken(
  client: IdentityClient,
  { token, oldPassword, newPassword }: ForcedPasswordReset,
  { signal }: CallOptions = {},
): Promise<CommonMessage> {
  const variables = {
    token,
    oldPassword: await encryptPassword(client, oldPassword, { signal }),
    newPassword: await encryptPassword(client, newPassword, { signal }),
  };
  return reset(client, RESET_FORCED, variables, signal);
}

async function reset(
  client: IdentityClient,
  chosen: GraphqlOperation,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<CommonMessage> {
  return (await client.graphql({ operation: chosen, variables, signal })) as CommonMessage;
}
