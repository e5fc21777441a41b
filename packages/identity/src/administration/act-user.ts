import type { AdministrationAct } from './administration-act.ts';
import { accountName } from '../accounts/account-name.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';

/** A person as what was done to them names them. */
export function actUser(user: ProviderUser): NonNullable<AdministrationAct['user']> {
  return { sub: user.id, username: accountName(user) };
}
