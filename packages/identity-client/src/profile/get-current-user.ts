import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { signIn } from './read-user.ts';
import type { User } from './user.ts';
import { CURRENT_USER } from './user-selections.ts';

const USER = operation('query', 'user', { id: 'String' }, CURRENT_USER);

/** Fetches the account of the current token. Returns null without a token and on any error. */
export async function getCurrentUser(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<User | null> {
  try {
    return signIn(client, await client.graphql({ operation: USER, variables: {}, signal }));
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}
