import { AuthingError, type AuthingClient } from './authing-client.ts';
import type { AuthingUser } from './authing-token-store.ts';

/** Of the provider's user, what the session needs. */
const USER = 'id username email phone name token tokenExpiredAt';

export interface PhoneNumber {
  readonly number: string;
  /** With its plus sign; undefined where the number was given without. */
  readonly countryCode: string | undefined;
}

export interface AuthingOperations {
  isUserExists(identifier: {
    readonly username?: string;
    readonly email?: string;
    readonly phone?: string;
  }): Promise<boolean | null>;
  sendLoginEmail(email: string): Promise<void>;
  sendLoginSms(phone: PhoneNumber): Promise<unknown>;
  loginByEmailCode(email: string, code: string): Promise<AuthingUser | null>;
  loginByPhoneCode(phone: PhoneNumber, code: string): Promise<AuthingUser | null>;
  refreshToken(token: string): Promise<{ readonly token: string }>;
  logout(appId: string, token: string): Promise<unknown>;
}

interface SendResult {
  readonly code?: number;
  readonly message?: string;
}

/** The provider's calls that a one-time-code sign-in makes (sign-in specification, section 7). */
export function authingOperations(client: AuthingClient): AuthingOperations {
  return {
    isUserExists: (identifier) =>
      client.graphql(
        'isUserExists',
        'query isUserExists($email: String, $phone: String, $username: String, $externalId: String) { isUserExists(email: $email, phone: $phone, username: $username, externalId: $externalId) }',
        { body: identifier },
      ),
    async sendLoginEmail(email) {
      const sent = await client.graphql<SendResult | null>(
        'sendEmail',
        'mutation sendEmail($email: String!, $scene: EmailScene!) { sendEmail(email: $email, scene: $scene) { message code } }',
        { body: { email, scene: 'LOGIN_VERIFY_CODE' } },
      );
      // A refusal may also stand in the result itself, inside an answer that looks like success.
      const { code = 200, message = '' } = sent ?? {};
      if (code !== 200) throw new AuthingError('refusal', { code, message });
    },
    sendLoginSms: ({ number, countryCode }) =>
      client.rest('POST', '/api/v2/sms/send', {
        body: { phone: number, phoneCountryCode: countryCode, scene: 'login' },
      }),
    loginByEmailCode: (email, code) =>
      client.rest('POST', '/api/v2/login/email-code', {
        body: { email, code, params: null, context: null },
      }),
    loginByPhoneCode: ({ number, countryCode }, code) =>
      client.graphql(
        'loginByPhoneCode',
        `mutation loginByPhoneCode($input: LoginByPhoneCodeInput!) { loginByPhoneCode(input: $input) { ${USER} } }`,
        {
          body: {
            input: {
              phone: number,
              code,
              params: null,
              context: null,
              phoneCountryCode: countryCode,
            },
          },
        },
      ),
    refreshToken: (token) =>
      client.graphql(
        'refreshToken',
        'mutation refreshToken($id: String) { refreshToken(id: $id) { token iat exp } }',
        { token },
      ),
    logout: (appId, token) =>
      client.rest('GET', `/api/v2/logout?app_id=${encodeURIComponent(appId)}`, { token }),
  };
}
