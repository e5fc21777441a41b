import { CookieStorage } from '@aws-amplify/core';
import { LOGIN_COOKIE_LIFETIME_MS } from '@deviceportal/contract/constants';

const DAY_MS = 86_400_000;

/** One-year cookies of this site alone; over https never sent without it. */
export function tokenCookies({ protocol }: Pick<Location, 'protocol'>): CookieStorage {
  return new CookieStorage({
    path: '/',
    expires: LOGIN_COOKIE_LIFETIME_MS / DAY_MS,
    sameSite: 'strict',
    secure: protocol === 'https:',
  });
}
