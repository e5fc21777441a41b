import type pg from 'pg';

/**
 * An event of a sign-in for the server's audit trail. Never contains a code, token, or key.
 * Administrative actions have separate events.
 */
export interface IdentityEvent {
  readonly kind:
    | 'challengeStarted'
    | 'signedIn'
    /** An incorrect code; the sign-in can continue. */
    | 'wrongAnswer'
    | 'signInRefused'
    /** Too many attempts: nothing is checked until the time in `detail`. */
    | 'limited'
    /** The account was locked after too many incorrect codes or passwords; recorded once. */
    | 'accountLocked'
    | 'refreshed'
    | 'revoked'
    /** A user registered. */
    | 'registered'
    /** A user changed their account: `detail` has the fields, never their values. */
    | 'accountChanged'
    /** The provider's next signing key was published: `detail` has its ID and start. */
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

/** Records an event in the transaction of its change. */
export type WriteIdentityEvent = (client: pg.PoolClient, event: IdentityEvent) => Promise<void>;

/** Takes events as they happen; it must not throw, and nothing waits for it. */
export type RecordIdentityEvent = (event: IdentityEvent) => void;
