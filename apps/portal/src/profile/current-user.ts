import { getCurrentUser, type IdentityClient, type User } from '@deviceportal/identity-client';

/** The account as the provider has it. Its client answers null on any failure; here that is one to be shown. */
export async function currentUser(
  client: IdentityClient,
  options: { readonly signal: AbortSignal },
): Promise<User> {
  const user = await getCurrentUser(client, options);
  if (user === null) throw new Error('The identity provider did not answer with the account.');
  return user;
}
