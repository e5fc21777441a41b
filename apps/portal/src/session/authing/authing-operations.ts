import {
  createIdentityClient,
  createMemoryStorage,
  EmailScene,
  IdentityError,
  isUserExists,
  loginByEmailCode,
  loginByPhoneCode,
  logout,
  refreshToken,
  SceneType,
  sendEmailCode,
  sendSmsCode,
  type IdentityClientOptions,
  type UserIdentifiers,
  type User,
} from '@deviceportal/identity-client';

export interface PhoneNumber {
  readonly number: string;
  /** With its plus sign; undefined where the number was given without. */
  readonly countryCode: string | undefined;
}

export interface AuthingOperations {
  isUserExists(identifiers: UserIdentifiers): Promise<boolean | null>;
  sendLoginEmail(email: string): Promise<void>;
  sendLoginSms(phone: PhoneNumber): Promise<void>;
  loginByEmailCode(email: string, code: string): Promise<User>;
  loginByPhoneCode(phone: PhoneNumber, code: string): Promise<User>;
  refreshToken(token: string): Promise<string>;
  logout(token: string): Promise<void>;
}

/** Asked for before each call: the language may have changed. */
export type ProviderOptions = () => Pick<
  IdentityClientOptions,
  'appHost' | 'appId' | 'fetch' | 'lang'
>;

const SUCCESS = 200;

/**
 * The provider's calls that a one-time-code sign-in makes (docs/design/sign-in.md, section 7). The portal keeps tokens
 * itself, in a storage that may be asynchronous: each call has a client that forgets.
 */
export function authingOperations(options: ProviderOptions): AuthingOperations {
  const client = (token?: string) =>
    createIdentityClient({
      ...options(),
      storage: createMemoryStorage(),
      ...(token !== undefined && { token }),
    });
  return {
    isUserExists: (identifiers) => isUserExists(client(), identifiers),
    async sendLoginEmail(email) {
      const sent = await sendEmailCode(client(), { email, scene: EmailScene.LOGIN_VERIFY_CODE });
      // A refusal may also stand in the result itself, inside an answer that looks like success.
      const { code = SUCCESS, message = '' } = sent ?? {};
      if (code !== SUCCESS) throw new IdentityError(message, { code });
    },
    async sendLoginSms({ number, countryCode }) {
      const scene = SceneType.SCENE_TYPE_LOGIN;
      await sendSmsCode(client(), { phone: number, phoneCountryCode: countryCode, scene });
    },
    loginByEmailCode: (email, code) => loginByEmailCode(client(), { email, code }),
    loginByPhoneCode: ({ number, countryCode }, code) =>
      loginByPhoneCode(client(), { phone: number, phoneCountryCode: countryCode, code }),
    refreshToken: async (token) => (await refreshToken(client(token))).token,
    logout: (token) => logout(client(token)),
  };
}
