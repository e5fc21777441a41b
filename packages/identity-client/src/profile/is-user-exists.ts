import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';

/** One or more identifiers of a user. */
export interface UserIdentifiers {
  readonly username?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly externalId?: string;
}

const EXISTS = operation('query', 'isUserExists', {
  email: 'String',
  phone: 'String',
  username: 'String',
  externalId: 'String',
});

/** Whether an account with these identifiers exists. Null if the provider returns no answer. */
export async function isUserExists(
  client: IdentityClient,
  { email, phone, username, externalId }: UserIdentifiers,
  { signal }: CallOptions = {},
): Promise<boolean | null> {
  const variables = { email, phone, username, externalId };
  const exists = await client.graphql({ operation: EXISTS, variables, signal });
  return typeof exists === 'boolean' ? exists : null;
}
