import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import type { User } from '../profile/user.ts';
import { verifyStep, type WithMfaToken } from './totp.ts';

const FOLDER = '/api/v2/applications/mfa';

export interface SmsStep extends WithMfaToken {
  readonly phone: string;
  readonly code: string;
  readonly phoneCountryCode?: string | undefined;
}

export interface EmailStep extends WithMfaToken {
  readonly email: string;
  readonly code: string;
}

/** Second factor of a sign-in: a code from a text message. */
export function verifySmsStep(
  client: IdentityClient,
  { phone, code, phoneCountryCode, mfaToken }: SmsStep,
  options?: CallOptions,
): Promise<User> {
  const body = { phone, code, phoneCountryCode };
  return verifyStep(client, `${FOLDER}/sms/verify`, body, mfaToken, options);
}

/** Second factor of a sign-in: a code from an email. */
export function verifyEmailStep(
  client: IdentityClient,
  { email, code, mfaToken }: EmailStep,
  options?: CallOptions,
): Promise<User> {
  return verifyStep(client, `${FOLDER}/email/verify`, { email, code }, mfaToken, options);
}

/** Whether a phone number or email address can be used as a second factor. */
export async function isContactBindable(
  client: IdentityClient,
  contact: WithMfaToken & { readonly email?: string; readonly phone?: string },
  { signal }: CallOptions = {},
): Promise<boolean> {
  const { email, phone, mfaToken } = contact;
  const body = { email, phone };
  const path = `${FOLDER}/check`;
  return (await client.rest({ method: 'POST', path, body, token: mfaToken, signal })) === true;
}
