/** A user whose login at an external provider was verified. */
export interface OutsideLogin {
  readonly subject: string;
  readonly username: string;
  /** Groups or roles by which the portal grants rights. */
  readonly groups: readonly string[];
  /** Every claim of the token, for rules that choose a role. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** When the session ends that began with this login; credentials end then at the latest. */
  readonly sessionEndsAt: Date;
}

/** `refused`: for good. `unavailable`: who checks logins could not be asked; the same login may pass in a moment. */
export type OutsideLoginFault = 'refused' | 'unavailable';

export class OutsideLoginError extends Error {
  override readonly name = 'OutsideLoginError';
  readonly fault: OutsideLoginFault;

  constructor(fault: OutsideLoginFault, options?: { readonly cause?: unknown }) {
    super(`Login ${fault}`, options);
    this.fault = fault;
  }
}

/** A hosted user pool or an OpenID Connect issuer whose people the identity pool takes in place of its own pool's. */
export interface OutsideLogins {
  /** Keys of `Logins`, the issuer without its scheme first: identities are kept under that. */
  readonly providerNames: readonly [string, ...string[]];
  /**
   * Checks a token, and that its person may use the portal.
   * @throws OutsideLoginError
   */
  check(
    token: string,
    origin: { readonly address: string; readonly requestId: string },
  ): Promise<OutsideLogin>;
}
