/**
 * Why a call had no session. Whoever calls is only told the catalogue's code; the reason stands in the log and on the
 * record of the call.
 */

/** What the check of a token says (docs/design/sign-in.md, sections 5 and 8). */
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
  /** The key is for something else than RSA signatures, or incomplete. */
  'unusable-key',
  'key-not-found',
  'key-set-not-fetched',
  'key-set-timed-out',
  'key-set-status',
  'key-set-too-many-requests',
  'key-set-malformed',
  /** A key was looked for in vain a moment ago: the key set is not asked again yet. */
  'key-set-back-off',
  /** No subject, or no user id. */
  'invalid-access-token',
] as const;
export type TokenFault = (typeof tokenFaults)[number];

/** What a good token cannot say. */
export const sessionFaults = [
  'no-token',
  'signed-out',
  'session-ended',
  'user-not-active',
  'user-unknown',
] as const;
export type SessionFault = (typeof sessionFaults)[number];

export type SessionRefusal = TokenFault | SessionFault;

const all: ReadonlySet<string> = new Set([...tokenFaults, ...sessionFaults]);

export function isSessionRefusal(text: string | null | undefined): text is SessionRefusal {
  return text !== null && text !== undefined && all.has(text);
}
