import { CookieStorage } from '@aws-amplify/core';
import { LOGIN_COOKIE_LIFETIME_MS } from '@deviceportal/contract/constants';

const DAY_MS = 86_400_000;

/** Cookies of this site, valid for one year, and secure on HTTPS. */
export function tokenCookies({ protocol }: Pick<Location, 'protocol'>): CookieStorage {
  return new CookieStorage({
    path: '/',
    expires: LOGIN_COOKIE_LIFETIME_MS / DAY_MS,
    sameSite: 'strict',
    secure: protocol === 'https:',
  });
}
