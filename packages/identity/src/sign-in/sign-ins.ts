import type pg from 'pg';
import type { IssuedToken } from '../sessions/issued-token.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import type { Caller } from '../provider/wire/caller.ts';

/** A user who has just signed in. */
export interface SignedIn {
  readonly user: ProviderUser;
  readonly issued: IssuedToken;
}

export interface SignInStep {
  /** How the user proved their identity, such as `password`, `email-code`, `social:github`. */
  readonly method: string;
  /** True after a second step: the gates are not passed again. */
  readonly isSecondStep?: boolean;
  /** Called after all checks; if it throws, the user is not signed in. */
  readonly prepare?: (client: pg.PoolClient) => Promise<void>;
}

/**
 * Between the proof of identity and the sign-in: throws a ProviderError where a further step is required, with what the
 * client needs for it in its data (such as `mfaToken`).
 */
export type SignInGate = (user: ProviderUser, caller: Caller, step: SignInStep) => Promise<void>;

/** Records a change, in its transaction. */
export type RecordWith = (client: pg.PoolClient) => Promise<void>;

/** Every way to sign in ends here. */
export interface SignIns {
  addGate(gate: SignInGate): void;
  /**
   * Signs in a user whose identity was proven: gates, session, counters, record.
   * @throws ProviderError userIsBlocked, or what a gate requires
   */
  complete(user: ProviderUser, caller: Caller, step: SignInStep): Promise<SignedIn>;
  /**
   * Checks a password as the client sent it; wrong ones count against account and address.
   * @param account what was typed, for limits and record
   * @throws ProviderError wrongPassword (also without such a user), tooManyRequests
   */
  checkPassword(
    user: ProviderUser | undefined,
    attempt: { readonly account: string; readonly sent: string; readonly isPlain?: boolean },
    caller: Caller,
  ): Promise<ProviderUser>;
  /** Records a change of an account, in its transaction; `what` names what was changed, never the new value. */
  writeChange(
    client: pg.PoolClient,
    user: ProviderUser,
    caller: Caller,
    what: string,
  ): Promise<void>;
}
