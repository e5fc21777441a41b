import type { UserValue } from '../user-values/user-value.ts';

/** A linked account of a user at an external provider. */
export interface UserIdentity {
  readonly openid?: string | null;
  readonly userIdInIdp?: string | null;
  readonly userId?: string | null;
  readonly connectionId?: string | null;
  readonly isSocial?: boolean | null;
  readonly provider?: string | null;
  readonly type?: string | null;
  readonly userPoolId?: string | null;
  readonly extIdpId?: string | null;
}

/** A user's account. Values that the provider does not have are null or absent. */
export interface User extends Partial<Record<UserTextField, string | null>> {
  readonly id: string;
  readonly emailVerified?: boolean | null;
  readonly phoneVerified?: boolean | null;
  readonly registerSource?: readonly string[] | null;
  readonly loginsCount?: number | null;
  readonly blocked?: boolean | null;
  readonly isDeleted?: boolean | null;
  readonly newlyCreated?: boolean | null;
  readonly customData?: Readonly<Record<string, UserValue>> | null;
  readonly identities?: readonly UserIdentity[] | null;
}

export type UserTextField =
  | 'arn'
  | 'userPoolId'
  | 'status'
  | 'username'
  | 'email'
  | 'phone'
  | 'unionid'
  | 'openid'
  | 'nickname'
  | 'photo'
  | 'oauth'
  | 'token'
  | 'tokenExpiredAt'
  | 'lastLogin'
  | 'lastIP'
  | 'signedUp'
  | 'device'
  | 'browser'
  | 'company'
  | 'name'
  | 'givenName'
  | 'familyName'
  | 'middleName'
  | 'profile'
  | 'preferredUsername'
  | 'website'
  | 'gender'
  | 'birthdate'
  | 'zoneinfo'
  | 'locale'
  | 'address'
  | 'formatted'
  | 'streetAddress'
  | 'locality'
  | 'region'
  | 'postalCode'
  | 'city'
  | 'province'
  | 'country'
  | 'createdAt'
  | 'updatedAt'
  | 'externalId'
  | 'phoneCountryCode';
