import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';

/** One or more identifiers of a person. */
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

/** Whether there is an account with these identifiers; null when the provider does not say. */
export async function isUserExists(
  client: IdentityClient,
  { email, phone, username, externalId }: UserIdentifiers,
  { signal }: CallOptions = {},
): Promise<boolean | null> {
  const variables = { email, phone, username, externalId };
  const exists = await client.graphql({ operation: EXISTS, variables, signal });
  return typeof exists === 'boolean' ? exists : null;
}
