import { linkAccount, unlinkAccount, type Done } from '../accounts/link-accounts.ts';
import type { CommonMessage } from '../codes/send-code.ts';
import {
  resetPasswordByEmailCode,
  resetPasswordByFirstLoginToken,
  resetPasswordByForceResetToken,
  resetPasswordByPhoneCode,
  updatePassword,
  type ForcedPasswordReset,
} from '../password/change-password.ts';
import {
  checkPasswordStrength,
  type PasswordStrength,
} from '../password/check-password-strength.ts';
import {
  computePasswordSecurityLevel,
  getSecurityLevel,
  type PasswordSecurityLevel,
  type SecurityLevel,
} from '../password/security-level.ts';
import {
  bindEmail,
  bindPhone,
  unbindEmail,
  unbindPhone,
  updateEmail,
  updatePhone,
} from '../profile/change-contact.ts';
import { getCurrentUser } from '../profile/get-current-user.ts';
import { isUserExists, type UserIdentifiers } from '../profile/is-user-exists.ts';
import {
  updateProfile,
  type ProfileProofs,
  type ProfileUpdates,
} from '../profile/update-profile.ts';
import type { User } from '../profile/user.ts';
import {
  checkLoginStatus,
  logout,
  logoutCurrent,
  refreshToken,
  type LoginStatus,
  type RefreshedToken,
} from '../session/session-calls.ts';
import { updateAvatar } from '../uploads/upload-photo.ts';
import { SignInMethods } from './sign-in-methods.ts';

/**
 * Password, profile, contacts, linked accounts, and session, with the arguments of
 * `authing-js-sdk`.
 */
export class AccountMethods extends SignInMethods {
  checkPasswordStrength(password: string): Promise<PasswordStrength> {
    return checkPasswordStrength(this.client, password);
  }

  computedPasswordSecurityLevel(password: string): PasswordSecurityLevel {
    return computePasswordSecurityLevel(password);
  }

  getSecurityLevel(): Promise<SecurityLevel> {
    return getSecurityLevel(this.client);
  }

  resetPasswordByPhoneCode(
    phone: string,
    code: string,
    newPassword: string,
    phoneCountryCode?: string,
  ): Promise<CommonMessage> {
    return resetPasswordByPhoneCode(this.client, { phone, code, newPassword, phoneCountryCode });
  }

  resetPasswordByEmailCode(
    email: string,
    code: string,
    newPassword: string,
  ): Promise<CommonMessage> {
    return resetPasswordByEmailCode(this.client, { email, code, newPassword });
  }

  resetPasswordByFirstLoginToken(input: {
    token: string;
    password: string;
  }): Promise<CommonMessage> {
    return resetPasswordByFirstLoginToken(this.client, input);
  }

  resetPasswordByForceResetToken(input: ForcedPasswordReset): Promise<CommonMessage> {
    return resetPasswordByForceResetToken(this.client, input);
  }

  updatePassword(newPassword: string, oldPassword?: string): Promise<User> {
    return updatePassword(this.client, { newPassword, oldPassword });
  }

  getCurrentUser(): Promise<User | null> {
    return getCurrentUser(this.client);
  }

  isUserExists(identifiers: UserIdentifiers): Promise<boolean | null> {
    return isUserExists(this.client, identifiers);
  }

  async updateProfile(updates: ProfileUpdates, options?: ProfileProofs): Promise<User> {
    return updateProfile(this.client, updates, options);
  }

  updateAvatar(options?: { accept?: string }): Promise<User> {
    return updateAvatar(this.client, options);
  }

  uploadAvatar(options?: { accept?: string }): Promise<User> {
    return updateAvatar(this.client, options);
  }

  updatePhone(
    phone: string,
    phoneCode: string,
    oldPhone?: string,
    oldPhoneCode?: string,
    phoneCountryCode?: string,
    oldPhoneCountryCode?: string,
  ): Promise<User> {
    const old = { oldPhone, oldPhoneCode, oldPhoneCountryCode };
    return updatePhone(this.client, { phone, phoneCode, phoneCountryCode, ...old });
  }

  updateEmail(
    email: string,
    emailCode: string,
    oldEmail?: string,
    oldEmailCode?: string,
  ): Promise<User> {
    return updateEmail(this.client, { email, emailCode, oldEmail, oldEmailCode });
  }

  bindPhone(phone: string, phoneCode: string, phoneCountryCode?: string): Promise<User> {
    return bindPhone(this.client, { phone, phoneCode, phoneCountryCode });
  }

  unbindPhone(): Promise<User> {
    return unbindPhone(this.client);
  }

  bindEmail(email: string, emailCode: string): Promise<User> {
    return bindEmail(this.client, { email, emailCode });
  }

  unbindEmail(): Promise<User> {
    return unbindEmail(this.client);
  }

  linkAccount(options: { primaryUserToken: string; secondaryUserToken: string }): Promise<Done> {
    return linkAccount(this.client, options);
  }

  unLinkAccount(options: { primaryUserToken: string; provider: string }): Promise<Done> {
    return unlinkAccount(this.client, options);
  }

  checkLoginStatus(token?: string): Promise<LoginStatus> {
    return checkLoginStatus(this.client, token);
  }

  refreshToken(): Promise<RefreshedToken> {
    return refreshToken(this.client);
  }

  logout(): Promise<void> {
    return logout(this.client);
  }

  logoutCurrent(): Promise<void> {
    return logoutCurrent(this.client);
  }
}
