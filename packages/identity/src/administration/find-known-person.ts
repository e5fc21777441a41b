import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';

/**
 * Finds a user by username, verified email address, or verified phone number, case-insensitively.
 */
export async function findKnownPerson(
  { users }: Pick<ProviderContext, 'users'>,
  identifier: string,
): Promise<ProviderUser | undefined> {
  const account = identifier.trim();
  const user = await users.findByAccount(account).catch(nobodyWhereNoNumber);
  return user && isKnownBy(user, account) ? user : undefined;
}

/** Not by an address or number that they have only said to be theirs. */
function isKnownBy(
  { username, email, emailVerified, phoneVerified }: ProviderUser,
  account: string,
) {
  const typed = account.toLowerCase();
  if (username?.toLowerCase() === typed) return true;
  return email?.toLowerCase() === typed ? emailVerified : phoneVerified;
}

/** Digits that are not a phone number match no user. */
function nobodyWhereNoNumber(error: unknown): undefined {
  if (error instanceof z.ZodError) return undefined;
  throw error;
}
