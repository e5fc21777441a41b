import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { keepSignedIn } from './read-user.ts';
import { requireUserId } from './require-user-id.ts';
import type { User } from './user.ts';
import { PLAIN_USER } from './user-selections.ts';

/** Profile fields that users can change. Passwords are changed only by `updatePassword`. */
export type ProfileUpdates = Readonly<Record<string, unknown>>;

/** Proof that a new email address or phone number belongs to the user. */
export interface ProfileProofs {
  readonly emailToken?: string;
  readonly phoneToken?: string;
}

const UPDATE = operation(
  'mutation',
  'updateUser',
  { id: 'String', input: 'UpdateUserInput!', emailToken: 'String', phoneToken: 'String' },
  PLAIN_USER,
);

/** Changes the current user's profile. */
export async function updateProfile(
  client: IdentityClient,
  updates: ProfileUpdates,
  { signal, emailToken, phoneToken }: ProfileProofs & CallOptions = {},
): Promise<User> {
  const { password: _never, ...input } = updates;
  const variables = { id: requireUserId(client), input, emailToken, phoneToken };
  return keepSignedIn(client, await client.graphql({ operation: UPDATE, variables, signal }));
}
