/** The identity of a live channel connection, as proved by the signature of its URL. */
export interface LiveIdentity {
  /** `region:uuid` of the identity pool. */
  readonly identityId: string;
  /** The `sub` claim of the provider at which the user signed in. */
  readonly sub: string;
  /** The sign-in behind the credentials; null for sign-ins at another provider. */
  readonly originJti: string | null;
  /** At the time when the URL was verified; groups of the embedded user pool are read again later. */
  readonly groups: readonly string[];
  /** When the credentials expire; the connection ends with them. */
  readonly expiresAt: Date;
}
