/** Who opened a live channel, as the signature of its URL proved. */
export interface LiveIdentity {
  /** `region:uuid` of the identity pool. */
  readonly identityId: string;
  /** The `sub` of the provider where they signed in. */
  readonly sub: string;
  /** The sign-in behind the credentials; null where it was at another provider. */
  readonly originJti: string | null;
  /** When the URL was verified; those of the embedded user pool are read again. */
  readonly groups: readonly string[];
  /** When the credentials end; the connection ends with them. */
  readonly expiresAt: Date;
}
