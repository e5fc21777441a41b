import type { DirectoryProfile } from '../../users/user-directory.ts';
import type { StoredAddress } from '../../data/scim-tables.ts';
import type { ScimUserInput } from '../protocol/user-attributes.ts';

const MAX_NAME = 256;
const international = /^\+[1-9]\d{6,14}$/;

/** Addresses and name for the user pool. A number without its country is kept, but receives no codes. */
export function directoryProfile(input: ScimUserInput): DirectoryProfile {
  const { emails, phoneNumbers, displayName, name } = input;
  const joined = [name?.givenName, name?.familyName].filter(Boolean).join(' ');
  const full = displayName || name?.formatted || joined;
  const numbers = (phoneNumbers ?? [])
    .map((number) => ({ ...number, value: number.value.replaceAll(/[\s().-]/g, '') }))
    .filter(({ value }) => international.test(value));
  return {
    email: chosen(emails ?? [])?.value ?? emailOf(input.userName),
    phoneNumber: chosen(numbers)?.value ?? null,
    name: full === '' ? null : full.slice(0, MAX_NAME),
  };
}

const chosen = (addresses: readonly StoredAddress[]): StoredAddress | undefined =>
  addresses.find(({ primary }) => primary === true) ??
  addresses.find(({ type }) => type === 'work') ??
  addresses[0];

/** A username that is an email address also receives codes. */
const emailOf = (userName: string): string | null =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(userName) ? userName : null;
