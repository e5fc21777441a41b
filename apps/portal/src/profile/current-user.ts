import { getCurrentUser, type IdentityClient, type User } from '@deviceportal/identity-client';

/**
 * The account from the provider. The client returns null on any failure, which is thrown here as an
 * error.
 */
export async function currentUser(
  client: IdentityClient,
  options: { readonly signal: AbortSignal },
): Promise<User> {
  const user = await getCurrentUser(client, options);
  if (user === null) throw new Error('The identity provider did not return the account.');
  return user;
}
