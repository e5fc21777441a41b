import type { Application } from '../applications/application.ts';

/** The characters of an address (RFC 3986, section 2); URL parsers pass over others at its ends and between. */
const ADDRESS = /^[!-~]+$/;

/**
 * Whether the address is one of the application's: same origin and path; the query is free, because services of CAS put
 * their own into it. Never one with a name or password in it.
 */
export function isAllowedAddress(address: string, allowed: readonly string[]): boolean {
  const asked = ADDRESS.test(address) ? URL.parse(address) : null;
  if (asked === null || asked.username !== '' || asked.password !== '') return false;
  return allowed.some((each) => {
    const known = URL.parse(each);
    return (
      known !== null &&
      known.protocol === asked.protocol &&
      known.host === asked.host &&
      known.pathname === asked.pathname
    );
  });
}

/** Addresses where a person may be sent after signing out. */
export function signOutAddresses(applications: readonly Application[]): readonly string[] {
  return applications.flatMap(({ redirectUris, logoutRedirectUris }) => [
    ...logoutRedirectUris,
    ...redirectUris,
  ]);
}
