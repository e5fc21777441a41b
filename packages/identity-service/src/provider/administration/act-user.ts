import type { AdministrationAct } from '../../administration/administration-act.ts';
import { accountName } from '../users/account-name.ts';
import type { ProviderUser } from '../users/provider-user.ts';

/** A person as what was done to them names them. */
export function actUser(user: ProviderUser): NonNullable<AdministrationAct['user']> {
  return { sub: user.id, username: accountName(user) };
}
