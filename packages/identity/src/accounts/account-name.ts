import type { ProviderUser } from './provider-user.ts';

/** By what an account is called: its user name, else its address, else its number, else its id. */
export function accountName({
  username,
  email,
  phoneE164,
  id,
}: Pick<ProviderUser, 'username' | 'email' | 'phoneE164' | 'id'>): string {
  return username ?? email ?? phoneE164 ?? id;
}
