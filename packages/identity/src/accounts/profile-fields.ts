/**
 * Profile fields that users can change themselves, stored together in one column (docs/design/sign-in.md, section 3,
 * "User"). Names are as on the wire.
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

/** Data of an external account, set by its connection and never by the user. */
export const outsideFields = ['unionid', 'openid', 'oauth'] as const;
export type OutsideField = (typeof outsideFields)[number];

export type Profile = Readonly<Partial<Record<ProfileField | OutsideField, string>>>;
