import type { EmailScene } from '../codes/email-scene.ts';
import type { SceneType } from '../codes/scene-type.ts';
import { sendEmailCode, sendSmsCode, type CommonMessage } from '../codes/send-code.ts';
import { loginByAd, loginByLdap, type DirectoryLogin } from '../directory/login-by-directory.ts';
import {
  loginByEmailCode,
  loginByPhoneCode,
  type EmailCodeLogin,
  type PhoneCodeLogin,
} from '../login/login-by-code.ts';
import {
  loginByEmail,
  loginByPhonePassword,
  loginBySubAccount,
  loginByUsername,
  type EmailLogin,
  type SubAccountLogin,
} from '../login/login-by-password.ts';
import type { User } from '../profile/user.ts';
import {
  registerByEmail,
  registerByEmailCode,
  registerByPhoneCode,
  registerByUsername,
  type EmailCodeRegistration,
  type EmailRegistration,
  type PhoneCodeRegistration,
  type UsernameRegistration,
} from '../registration/register.ts';
import { AuthenticationBase } from './authentication-base.ts';

type Profile = Readonly<Record<string, unknown>> | null;
type RegistrationOptions<Input> = Omit<
  Input,
  'email' | 'username' | 'phone' | 'code' | 'password' | 'profile'
>;
type PasswordLoginOptions = Omit<EmailLogin, 'email' | 'password'>;
type CodeLoginOptions = Omit<EmailCodeLogin & PhoneCodeLogin, 'email' | 'phone' | 'code'>;

/** Registration, codes, and sign-in, with the arguments of `authing-js-sdk`. */
export class SignInMethods extends AuthenticationBase {
  registerByEmail(
    email: string,
    password: string,
    profile?: Profile,
    options?: RegistrationOptions<EmailRegistration>,
  ): Promise<User> {
    return registerByEmail(this.client, { ...options, email, password, profile });
  }

  registerByEmailCode(
    email: string,
    code: string,
    profile?: Profile,
    options?: RegistrationOptions<EmailCodeRegistration>,
  ): Promise<User> {
    return registerByEmailCode(this.client, { ...options, email, code, profile });
  }

  registerByUsername(
    username: string,
    password: string,
    profile?: Profile,
    options?: RegistrationOptions<UsernameRegistration>,
  ): Promise<User> {
    return registerByUsername(this.client, { ...options, username, password, profile });
  }

  registerByPhoneCode(
    phone: string,
    code: string,
    password?: string,
    profile?: Profile,
    options?: RegistrationOptions<PhoneCodeRegistration>,
  ): Promise<User> {
    return registerByPhoneCode(this.client, { ...options, phone, code, password, profile });
  }

  sendSmsCode(
    phone: string,
    phoneCountryCode?: string,
    scene?: SceneType,
  ): Promise<CommonMessage | undefined> {
    return sendSmsCode(this.client, { phone, phoneCountryCode, scene });
  }

  sendEmail(email: string, scene: EmailScene): Promise<CommonMessage> {
    return sendEmailCode(this.client, { email, scene });
  }

  loginByEmail(email: string, password: string, options?: PasswordLoginOptions): Promise<User> {
    return loginByEmail(this.client, { ...options, email, password });
  }

  loginByUsername(
    username: string,
    password: string,
    options?: PasswordLoginOptions,
  ): Promise<User> {
    return loginByUsername(this.client, { ...options, username, password });
  }

  loginByPhonePassword(
    phone: string,
    password: string,
    options?: PasswordLoginOptions,
  ): Promise<User> {
    return loginByPhonePassword(this.client, { ...options, phone, password });
  }

  loginByPhoneCode(phone: string, code: string, options?: CodeLoginOptions): Promise<User> {
    return loginByPhoneCode(this.client, { ...options, phone, code });
  }

  loginByEmailCode(email: string, code: string, options?: CodeLoginOptions): Promise<User> {
    return loginByEmailCode(this.client, { ...options, email, code });
  }

  loginBySubAccount(
    account: string,
    password: string,
    options?: Omit<SubAccountLogin, 'account' | 'password'>,
  ): Promise<User> {
    return loginBySubAccount(this.client, { ...options, account, password });
  }

  loginByLdap(
    username: string,
    password: string,
    options?: Omit<DirectoryLogin, 'username' | 'password'>,
  ): Promise<User> {
    return loginByLdap(this.client, { ...options, username, password });
  }

  loginByAd(
    username: string,
    password: string,
    options?: Omit<DirectoryLogin, 'username' | 'password'>,
  ): Promise<User> {
    return loginByAd(this.client, { ...options, username, password });
  }
}
