import type pg from 'pg';

/** What happened to a sign-in, for the audit trail of the server. Never a code, token or key. Acts of administration have their own. */
export interface IdentityEvent {
  readonly kind:
    | 'challengeStarted'
    | 'signedIn'
    /** A code that was not the right one; the sign-in may go on. */
    | 'wrongAnswer'
    | 'signInRefused'
    /** Too many attempts: nothing is looked at until the time in `detail` is over. */
    | 'limited'
    /** The account took its last wrong code or password; told once. */
    | 'accountLocked'
    | 'refreshed'
    | 'revoked'
    /** Somebody made an account for themselves. */
    | 'registered'
    /** Somebody changed their account: `detail` says what, never to what. */
    | 'accountChanged'
    /** The provider's next signing key was published: `detail` says which, and from when it signs. */
    | 'signingKeyRotated'
    | 'signedOut';
  readonly at: Date;
  /** Undefined when no such user exists. */
  readonly sub: string | undefined;
  readonly username: string | undefined;
  /** Undefined for what the server itself did. */
  readonly address: string | undefined;
  readonly requestId?: string;
  /** The error's name and message when refused. */
  readonly detail?: string;
}

/** Writes an event down in the transaction of what it tells. */
export type WriteIdentityEvent = (client: pg.PoolClient, event: IdentityEvent) => Promise<void>;

/** Takes events as they happen; it must not throw, and nothing waits for it. */
export type RecordIdentityEvent = (event: IdentityEvent) => void;
