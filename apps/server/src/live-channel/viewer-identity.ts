/** Who opened a live channel, as the signature of its URL proved. */
export interface LiveIdentity {
  /** `region:uuid` of the identity pool. */
  readonly identityId: string;
  /** The user pool's `sub`. */
  readonly sub: string;
  readonly groups: readonly string[];
  /** The sign-in behind the credentials. */
  readonly originJti: string | null;
  /** When the credentials end; the connection ends with them. */
  readonly expiresAt: Date;
}
