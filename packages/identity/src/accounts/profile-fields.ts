/**
 * Texts of a person that their owner may change, without a column of their own (docs/design/sign-in.md, section 3,
 * "User"): names as on the wire.
 */
export const profileFields = [
  'nickname',
  'photo',
  'device',
  'browser',
  'company',
  'name',
  'givenName',
  'familyName',
  'middleName',
  'profile',
  'preferredUsername',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'address',
  'formatted',
  'streetAddress',
  'locality',
  'region',
  'postalCode',
  'city',
  'province',
  'country',
] as const;
export type ProfileField = (typeof profileFields)[number];

/** Texts of an account elsewhere: connections set them, never their owner. */
export const outsideFields = ['unionid', 'openid', 'oauth'] as const;
export type OutsideField = (typeof outsideFields)[number];

export type Profile = Readonly<Partial<Record<ProfileField | OutsideField, string>>>;
