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
  /** With the plus sign. Undefined if the number has no country code. */
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

/** Called before each request, because the language can change. */
export type ProviderOptions = () => Pick<
  IdentityClientOptions,
  'appHost' | 'appId' | 'fetch' | 'lang'
>;

const SUCCESS = 200;

/**
 * The provider’s requests for a sign-in with a code (docs/design/sign-in.md, section 7). Each
 * request uses a client without storage, because the portal stores tokens itself, in storage that
 * may be asynchronous.
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
      // A successful HTTP response can contain an error in its body.
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
