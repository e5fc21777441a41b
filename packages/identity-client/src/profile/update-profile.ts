import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { keepSignedIn } from './read-user.ts';
import { requireUserId } from './require-user-id.ts';
import type { User } from './user.ts';
import { PLAIN_USER } from './user-selections.ts';

/** What a person may change of the own account. A password is changed by `updatePassword` only. */
export type ProfileUpdates = Readonly<Record<string, unknown>>;

/** Proofs that a new address or number belongs to the person. */
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

/** Changes the profile of the current user. */
export async function updateProfile(
  client: IdentityClient,
  updates: ProfileUpdates,
  { signal, emailToken, phoneToken }: ProfileProofs & CallOptions = {},
): Promise<User> {
  const { password: _never, ...input } = updates;
  const variables = { id: requireUserId(client), input, emailToken, phoneToken };
  return keepSignedIn(client, await client.graphql({ operation: UPDATE, variables, signal }));
}
