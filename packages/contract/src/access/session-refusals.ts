/**
 * Why a call has no session. The caller gets only the error code. The reason is recorded in the log
 * and with the API call.
 */

/** Results of the token check (docs/design/sign-in.md, sections 5 and 8). */
export const tokenFaults = [
  'malformed-token',
  'expired-token',
  'token-not-yet-valid',
  'wrong-issuer',
  'wrong-audience',
  'wrong-scope',
  'wrong-client',
  'wrong-group',
  'wrong-token-use',
  'bad-signature',
  'wrong-algorithm',
  /** The key is incomplete or not for RSA signatures. */
  'unusable-key',
  'key-not-found',
  'key-set-not-fetched',
  'key-set-timed-out',
  'key-set-status',
  'key-set-too-many-requests',
  'key-set-malformed',
  /** A key was recently not found. The key set is not fetched again until the back-off ends. */
  'key-set-back-off',
  /** No subject or no user ID. */
  'invalid-access-token',
] as const;
export type TokenFault = (typeof tokenFaults)[number];

/** Reasons beyond the validity of the token. */
export const sessionFaults = [
  'no-token',
  'signed-out',
  'session-ended',
  'user-not-active',
  'user-unknown',
  'api-token-unknown',
  'api-token-revoked',
] as const;
export type SessionFault = (typeof sessionFaults)[number];

export type SessionRefusal = TokenFault | SessionFault;

const all: ReadonlySet<string> = new Set([...tokenFaults, ...sessionFaults]);

export function isSessionRefusal(text: string | null | undefined): text is SessionRefusal {
  return text !== null && text !== undefined && all.has(text);
}
