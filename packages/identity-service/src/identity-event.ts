/** What happened to whom, for the audit trail of the server. Never a code, token or key. */
export interface IdentityEvent {
  readonly kind:
    | 'challengeStarted'
    | 'signedIn'
    | 'signInRefused'
    | 'refreshed'
    | 'revoked'
    | 'signedOut'
    | 'userChanged'
    | 'userDeleted';
  readonly at: Date;
  /** Undefined when no such user exists. */
  readonly sub: string | undefined;
  readonly username: string | undefined;
  /** Undefined for what the server itself did. */
  readonly address: string | undefined;
  /** The error's name and message when refused; what changed when a user changed. */
  readonly detail?: string;
}

/** Takes events as they happen; it must not throw, and nothing waits for it. */
export type RecordIdentityEvent = (event: IdentityEvent) => void;
