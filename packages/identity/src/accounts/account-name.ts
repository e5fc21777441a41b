import type { ProviderUser } from './provider-user.ts';

/** Display name of an account: its username, otherwise its email address, phone number, or ID. */
export function accountName({
  username,
  email,
  phoneE164,
  id,
}: Pick<ProviderUser, 'username' | 'email' | 'phoneE164' | 'id'>): string {
  return username ?? email ?? phoneE164 ?? id;
}
