/** Why a ceremony or a recovery code was rejected. */
export type PasskeyRefusal =
  /** The portal has no https address, or its host is an IP address. */
  | 'unavailable'
  /** The challenge is unknown, used, expired, or belongs to another account or purpose. */
  | 'challengeEnded'
  /** The response is malformed, or its origin, RP ID, signature, or user verification is not valid. */
  | 'notVerified'
  /** No such passkey, or it belongs to another account. */
  | 'unknownPasskey'
  /** The signature counter did not increase: the authenticator may have been copied. */
  | 'signCountRegressed'
  | 'tooManyPasskeys'
  | 'alreadyRegistered'
  | 'wrongRecoveryCode'
  | 'tooManyRequests';

export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
  readonly refusal: PasskeyRefusal;
  /** Only for `tooManyRequests`. */
  readonly waitMs: number | undefined;

  constructor(
    refusal: PasskeyRefusal,
    { waitMs, cause }: { readonly waitMs?: number; readonly cause?: unknown } = {},
  ) {
    super(`Passkey rejected: ${refusal}.`, { cause });
    this.refusal = refusal;
    this.waitMs = waitMs;
  }
}
