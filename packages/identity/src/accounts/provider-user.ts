import type { PasswordLevel } from '../passwords/password-level.ts';
import type { Profile } from './profile-fields.ts';

/** docs/design/sign-in.md, section 3, "User statuses". */
export type UserStatus = 'Activated' | 'Suspended' | 'Resigned' | 'Archived';

/** A user of the provider. */
export interface ProviderUser {
  readonly id: string;
  readonly userPoolId: string;
  readonly status: UserStatus;
  readonly blocked: boolean;
  readonly username: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** As entered, without the country code if it was split off. */
  readonly phone: string | null;
  readonly phoneCountryCode: string | null;
  /** E.164; used for comparison and delivery. */
  readonly phoneE164: string | null;
  readonly phoneVerified: boolean;
  readonly externalId: string | null;
  /** Null if the user has no password. */
  readonly passwordHash: string | null;
  readonly passwordLevel: PasswordLevel | null;
  readonly mustResetPassword: boolean;
  /** How the account was created, such as `basic:email`. */
  readonly registerSource: readonly string[];
  readonly profile: Profile;
  /** Owner and name of a subaccount; null otherwise. */
  readonly parentUserId: string | null;
  readonly subAccount: string | null;
  readonly loginsCount: number;
  readonly lastLoginAt: Date | null;
  readonly lastAddress: string | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

/** Fields that can be set when an account is created or changed. */
export type UserChange = Partial<
  Omit<ProviderUser, 'id' | 'userPoolId' | 'createdAt' | 'modifiedAt'>
>;
