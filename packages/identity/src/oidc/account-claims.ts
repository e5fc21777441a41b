import type { Profile } from '../accounts/profile-fields.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { arnOf } from '../accounts/wire-user.ts';

/** Which claims a scope opens (OpenID Connect Core, section 5.4); `roles` and `data` are the contract's. */
export const CLAIMS_OF_SCOPE = {
  openid: ['sub', 'data'],
  profile: [
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
  roles: ['roles'],
} as const;

/** Claims that have the profile's own text. */
const PROFILE_CLAIMS = {
  given_name: 'givenName',
  family_name: 'familyName',
  middle_name: 'middleName',
  nickname: 'nickname',
  profile: 'profile',
  picture: 'photo',
  website: 'website',
  gender: 'gender',
  birthdate: 'birthdate',
  zoneinfo: 'zoneinfo',
  locale: 'locale',
} as const satisfies Record<string, keyof Profile>;

const ADDRESS_CLAIMS = {
  formatted: 'formatted',
  street_address: 'streetAddress',
  locality: 'locality',
  region: 'region',
  postal_code: 'postalCode',
  country: 'country',
} as const satisfies Record<string, keyof Profile>;

export interface AccountClaims {
  readonly [claim: string]: unknown;
  readonly sub: string;
}

/** Everything that can be said of a person, by the names of OpenID Connect Core, section 5.1; nothing that is empty. */
export function claimsOf(user: ProviderUser, roles: readonly string[]): AccountClaims {
  const { email, phoneE164, profile, username } = user;
  const address = pick(profile, ADDRESS_CLAIMS);
  return {
    ...pick(profile, PROFILE_CLAIMS),
    sub: user.id,
    data: { id: user.id, userPoolId: user.userPoolId, arn: arnOf(user) },
    name: profile.name ?? profile.nickname ?? username ?? undefined,
    preferred_username: profile.preferredUsername ?? username ?? undefined,
    updated_at: Math.floor(user.modifiedAt.getTime() / 1_000),
    ...(email !== null && { email, email_verified: user.emailVerified }),
    ...(phoneE164 !== null && {
      phone_number: phoneE164,
      phone_number_verified: user.phoneVerified,
    }),
    ...(Object.keys(address).length > 0 && { address }),
    roles,
  };
}

function pick(
  profile: Profile,
  names: Readonly<Record<string, keyof Profile>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([claim, field]) => {
      const text = profile[field];
      return text === undefined || text === '' ? [] : [[claim, text]];
    }),
  );
}
