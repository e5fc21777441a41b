import type { Permission } from '@deviceportal/contract/permissions';
import { signInToPortal, type PortalClient } from '../../bench/support/portal-client.ts';
import { grantRole } from './grant-role.ts';
import { openScreens, type Screens } from './open-screens.ts';

interface UserScreens {
  readonly url: string;
  readonly admin: PortalClient;
  readonly screens: Screens;
}

/** The portal with another user, who gets a role first. Administrators cannot grant permissions to themselves. */
export async function openUserScreens(
  { english }: Screens,
  user: string,
  role: { readonly name: string; readonly permissions: readonly Permission[] },
): Promise<UserScreens> {
  const url = new URL(english.url()).origin;
  const admin = await signInToPortal(url, 'admin@deviceportal.local');
  await grantRole(admin, user, role);
  const browser = english.context().browser();
  if (browser === null) throw new Error('no browser');
  return { url, admin, screens: await openScreens(browser, url, user) };
}
