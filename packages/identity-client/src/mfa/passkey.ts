import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import type { User } from '../profile/user.ts';
import { verifyStep, type WithMfaToken } from './totp.ts';

const PATH = '/api/v2/mfa/passkey';

/**
 * Starts the second factor of a sign-in by a passkey.
 * @returns the JSON for `PublicKeyCredential.parseRequestOptionsFromJSON`
 */
export async function beginPasskeyStep(
  client: IdentityClient,
  { mfaToken }: WithMfaToken,
  { signal }: CallOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const path = `${PATH}/options`;
  const reply = await client.rest({ method: 'POST', path, body: {}, token: mfaToken, signal });
  return reply as Readonly<Record<string, unknown>>;
}

/**
 * Second factor of a sign-in: a passkey.
 * @param input.credential the browser's credential, by its `toJSON`
 */
export function verifyPasskeyStep(
  client: IdentityClient,
  { credential, mfaToken }: WithMfaToken & { readonly credential: object },
  options?: CallOptions,
): Promise<User> {
  return verifyStep(client, `${PATH}/verify`, { credential }, mfaToken, options);
}

/** Second factor of a sign-in without the passkey: one of its recovery codes, which works once. */
export function verifyPasskeyRecoveryCode(
  client: IdentityClient,
  { recoveryCode, mfaToken }: WithMfaToken & { readonly recoveryCode: string },
  options?: CallOptions,
): Promise<User> {
  return verifyStep(client, `${PATH}/recovery`, { recoveryCode }, mfaToken, options);
}
