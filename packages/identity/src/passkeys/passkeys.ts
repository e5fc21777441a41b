import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { GuessedAccount } from '../accounts/account-guesses.ts';
import type { ActOrigin } from '../administration/administration-act.ts';

/** What a signature proves; a challenge is valid for one of these. */
export type AssertionPurpose =
  /** Without a code: who signs in is known by the passkey. */
  | 'sign-in'
  /** After the code or password of a sign-in. */
  | 'second-step'
  /** Before an action of a signed-in user that requires a fresh second step. */
  | 'step-up';

/** A user of this store, or by their subject a user who signs in elsewhere, and where the call is from. */
export interface PasskeyCaller {
  readonly owner: GuessedAccount;
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Identifies the model of the authenticator; zeros if it does not tell. */
  readonly aaguid: string;
  readonly transports: readonly string[];
  /** Whether the authenticator can copy it to other devices of the user. */
  readonly isSynced: boolean;
  readonly isBackedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface PasskeyOverview {
  readonly passkeys: readonly Passkey[];
  /** Whether a passkey replaces the code at sign-in. */
  readonly signsIn: boolean;
  readonly recoveryCodesLeft: number;
}

export interface AddedPasskey {
  readonly passkey: Passkey;
  /** Only with the first passkey; shown once. */
  readonly recoveryCodes: readonly string[] | undefined;
}

/** A verified signature. */
export interface Assertion {
  readonly ownerId: string;
  readonly passkeyId: string;
  /** Whether the owner lets a passkey replace the code. */
  readonly signsIn: boolean;
}

export const MOST_PASSKEYS = 20;
export const RECOVERY_CODES = 10;
export const CHALLENGE_LIFE_MS = 5 * 60_000;

/**
 * Passkeys (WebAuthn level 3) and their recovery codes. The caller decides who may call; responses of browsers are
 * untrusted and checked here. Every change is recorded in its transaction, and the owner is notified.
 */
export interface Passkeys {
  /** Whether browsers offer passkeys at the portal's public URL. */
  readonly isAvailable: boolean;
  overview(ownerId: string): Promise<PasskeyOverview>;
  has(ownerId: string): Promise<boolean>;
  /** Of these owners, those with a passkey. */
  findOwners(ownerIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** @throws PasskeyError unavailable, tooManyPasskeys */
  beginRegistration(
    caller: PasskeyCaller,
    user: { readonly name: string; readonly displayName: string },
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** @throws PasskeyError challengeEnded, notVerified, alreadyRegistered, tooManyPasskeys */
  finishRegistration(
    caller: PasskeyCaller,
    response: unknown,
    name?: string,
  ): Promise<AddedPasskey>;
  /**
   * Starts a signature of a known user.
   * @throws PasskeyError unavailable, unknownPasskey if the user has none
   */
  beginAssertion(
    ownerId: string,
    purpose: AssertionPurpose,
  ): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Starts a sign-in before it is known whose: the browser offers its passkeys. @throws PasskeyError unavailable, tooManyRequests */
  beginSignIn(address: string): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /**
   * Checks the signature of a known user for this purpose.
   * @throws PasskeyError challengeEnded, notVerified, unknownPasskey, signCountRegressed
   */
  finishAssertion(
    caller: PasskeyCaller,
    purpose: AssertionPurpose,
    response: unknown,
  ): Promise<Assertion>;
  /**
   * The same for a sign-in of a user who is not known yet.
   * @throws PasskeyError challengeEnded, notVerified, unknownPasskey, signCountRegressed
   */
  finishSignIn(origin: Omit<PasskeyCaller, 'owner'>, response: unknown): Promise<Assertion>;
  /** @throws PasskeyError unknownPasskey */
  rename(caller: PasskeyCaller, id: string, name: string): Promise<void>;
  /** Recovery codes end with the last passkey. @throws PasskeyError unknownPasskey */
  remove(caller: PasskeyCaller, id: string): Promise<void>;
  /** Lets a passkey replace the code at sign-in, or not. @throws PasskeyError unknownPasskey if the user has none */
  setSignsIn(caller: PasskeyCaller, signsIn: boolean): Promise<void>;
  /** New codes, shown once; earlier ones are no longer valid. @throws PasskeyError unknownPasskey if the user has no passkey */
  createRecoveryCodes(caller: PasskeyCaller): Promise<readonly string[]>;
  /**
   * Uses up a recovery code in place of a passkey. Wrong ones count as incorrect codes of the account.
   * @throws PasskeyError wrongRecoveryCode, tooManyRequests
   */
  useRecoveryCode(caller: PasskeyCaller, code: string): Promise<void>;
  /**
   * Removes all passkeys and recovery codes of a user, by an administrator or the operator.
   * @returns false if the user had no passkeys
   */
  removeAll(owner: GuessedAccount, origin: ActOrigin): Promise<boolean>;
}
