import { done, type Done } from '../accounts/link-accounts.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { readUser } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';

export type TotpSource = 'SELF' | 'APPLICATION';

/** The MFA token that the first factor returned. */
export interface WithMfaToken {
  readonly mfaToken: string;
}

export interface TotpInput {
  readonly source?: TotpSource | undefined;
  readonly authenticatorType?: string | undefined;
  /** Required during a sign-in. Otherwise, the current user's token is used. */
  readonly mfaToken?: string | undefined;
}

export interface MfaAuthenticator {
  readonly id: string;
  readonly userId: string;
  readonly enable: boolean;
  readonly secret: string;
  readonly authenticatorType: string;
  readonly recoveryCode: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Data to set up an authenticator app: the secret, as a URL and as a picture. */
export interface TotpAssociation {
  readonly authenticator_type: string;
  readonly secret: string;
  readonly qrcode_uri: string;
  readonly qrcode_data_url: string;
  readonly recovery_code: string;
}

const ASSOCIATE = '/api/v2/mfa/totp/associate';

/** Lists the authenticator apps of the current user. */
export async function listAuthenticators(
  client: IdentityClient,
  { authenticatorType = 'totp', source = 'SELF', mfaToken }: TotpInput = {},
  { signal }: CallOptions = {},
): Promise<readonly MfaAuthenticator[]> {
  const query = { type: authenticatorType, source };
  const path = '/api/v2/mfa/authenticator';
  const reply = await client.rest({ method: 'GET', path, query, token: mfaToken, signal });
  return Array.isArray(reply) ? (reply as readonly MfaAuthenticator[]) : [];
}

/** Starts to add an authenticator app. */
export async function associateTotp(
  client: IdentityClient,
  { authenticatorType = 'totp', source = 'SELF', mfaToken }: TotpInput = {},
  { signal }: CallOptions = {},
): Promise<TotpAssociation> {
  const body = { authenticator_type: authenticatorType, source };
  const reply = await client.rest({
    method: 'POST',
    path: ASSOCIATE,
    body,
    token: mfaToken,
    signal,
  });
  return reply as TotpAssociation;
}

/** Confirms the app with its first code. */
export async function confirmTotp(
  client: IdentityClient,
  input: TotpInput & { readonly totp?: string | undefined },
  { signal }: CallOptions = {},
): Promise<Done> {
  const { authenticatorType = 'totp', source = 'SELF', totp, mfaToken } = input;
  const body = { authenticator_type: authenticatorType, totp, source };
  const path = `${ASSOCIATE}/confirm`;
  await client.rest({ method: 'POST', path, body, token: mfaToken, signal });
  return done(client, { zh: 'TOTP MFA 绑定成功', en: 'TOTP MFA bind succeeded' });
}

/** Removes the authenticator app. */
export async function removeTotp(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<Done> {
  await client.rest({ method: 'DELETE', path: ASSOCIATE, signal });
  return done(client, { zh: 'TOTP MFA 解绑成功', en: 'TOTP MFA unbind succeeded' });
}

/**
 * Second factor of a sign-in: the code of the app. Call `client.session.setUser` to make the user
 * current.
 */
export function verifyTotp(
  client: IdentityClient,
  { totp, mfaToken }: WithMfaToken & { readonly totp: string },
  options?: CallOptions,
): Promise<User> {
  return verifyStep(client, '/api/v2/mfa/totp/verify', { totp }, mfaToken, options);
}

/** Second factor of a sign-in without the app: a recovery code, which works once. */
export function verifyRecoveryCode(
  client: IdentityClient,
  { recoveryCode, mfaToken }: WithMfaToken & { readonly recoveryCode: string },
  options?: CallOptions,
): Promise<User> {
  return verifyStep(client, '/api/v2/mfa/totp/recovery', { recoveryCode }, mfaToken, options);
}

/** Submits a second factor with the token of the first one. */
export async function verifyStep(
  client: IdentityClient,
  path: string,
  body: object,
  mfaToken: string | undefined,
  { signal }: CallOptions = {},
): Promise<User> {
  const reply = await client.rest({ method: 'POST', path, body, token: mfaToken, signal });
  return readUser(client, reply);
}
